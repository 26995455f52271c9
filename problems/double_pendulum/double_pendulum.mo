// Two unit masses on unit rods, the second hung off the first; y upwards, first order.
// Source: Andrejevic and Ding (2020), Solving differential-algebraic systems of equations (DAEs),
// lecture AM 205, "The double pendulum". Start: our choice, both rods horizontal and at rest.
model DoublePendulum "double pendulum in cartesian coordinates"
  parameter Real g = 9.80665;
  Real x1(start = 1);
  Real y1(start = 0, fixed = true);
  Real u1(start = 0);
  Real v1(start = 0, fixed = true);
  Real x2(start = 2);
  Real y2(start = 0, fixed = true);
  Real u2(start = 0);
  Real v2(start = 0, fixed = true);
  Real lambda1;
  Real lambda2;
equation
  der(x1) = u1;
  der(y1) = v1;
  der(u1) = -lambda1*x1 - lambda2*(x1 - x2);
  der(v1) = -lambda1*y1 - lambda2*(y1 - y2) - g;
  der(x2) = u2;
  der(y2) = v2;
  der(u2) = -lambda2*(x2 - x1);
  der(v2) = -lambda2*(y2 - y1) - g;
  upper_rod: 0 = x1^2 + y1^2 - 1;
  lower_rod: 0 = (x2 - x1)^2 + (y2 - y1)^2 - 1;
annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-9),
  __daedal(draw = {line({{0, 0}, {x1, y1}, {x2, y2}}),
    circle({{x1, y1}, {x2, y2}}, radius = 0.06),
    trace({x2, y2})}));
end DoublePendulum;
