// Arc-length continuation: walk along the curve y = x^3 - 3 x at unit speed. As a function of y the
// curve turns back at two folds, (-1, 2) and (1, -2), where continuation in y would stop; time is
// the length of the path from (-2, -2). The curve is our choice; that such systems are DAEs of this
// kind is in Nedialkov and Pryce (2008). The start of der(x) says in which direction to walk.
model ArcLength "arc-length continuation round two folds"
  Real x(start = {-2, 0.1}, fixed = {true, false});
  Real y(start = {-2, 1});
equation
  curve: y = x^3 - 3*x;
  speed: der(x)^2 + der(y)^2 = 1;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end ArcLength;
