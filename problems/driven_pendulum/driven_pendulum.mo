// Which horizontal force u makes the pendulum swing as x = a sin(w t)? From the Lagrangian, with an
// unknown force and a prescribed path in place of two degrees of freedom. y downwards, mass 1.
// problems/controlled_pendulum has the equations written by hand.
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, Example 4.2, with g = 9.8, l = 10 and w = sqrt(g/l) or 1.2 sqrt(g/l). The amplitudes are
// our choice.
model DrivenPendulum "prescribed-trajectory control of a pendulum"
  parameter Real g = 9.8;
  parameter Real l = 10;
  parameter Real a = 5 "amplitude, less than l";
  parameter Real faster = 1 "angular frequency relative to that of small swings";
  parameter Real w = faster*sqrt(g/l) "angular frequency";
  Real x(start = {0, a*w});
  Real y(start = {l, 0});
  Real u "horizontal force";
lagrangian
  coordinates x, y;
  function 0.5*(der(x)^2 + der(y)^2) + g*y;
  tension: constraint (x^2 + y^2 - l^2)/2 = 0;
  force x = u;
equation
  path: x = a*sin(w*time);
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end DrivenPendulum;
