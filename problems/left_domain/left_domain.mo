// x = cos(t/2) falls through zero at t = pi with speed 1/2; there y = sqrt(x) ceases to exist.
// Source: ours.
model LeftDomain "root of a quantity that becomes negative"
  Real x(start = {1, 0}, fixed = {true, true});
  Real y;
equation
  der(x, 2) = -x/4;
  root: y = sqrt(x);
annotation(experiment(StartTime = 0, StopTime = 4, Tolerance = 1e-9));
end LeftDomain;
