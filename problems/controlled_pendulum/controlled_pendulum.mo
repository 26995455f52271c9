// Which horizontal force u makes the pendulum swing as x = a sin(w t)? y downwards.
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, Example 4.2, eq. (22) and (23), with g = 9.8, l = 10 and w = sqrt(g/l). The amplitude
// a = 5 is our choice.
model ControlledPendulum "prescribed-trajectory control of a pendulum"
  parameter Real g = 9.8;
  parameter Real l = 10;
  parameter Real a = 5 "amplitude, less than l";
  parameter Real w = sqrt(g/l) "angular frequency";
  Real x(start = {0, 5});
  Real y(start = {10, 0});
  Real lambda;
  Real u "horizontal force";
equation
  der(x, 2) + lambda*x - u = 0;
  der(y, 2) + lambda*y - g = 0;
  x^2 + y^2 - l^2 = 0;
  path: x - a*sin(w*time) = 0;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end ControlledPendulum;
