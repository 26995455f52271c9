// One rod of length 2a hung from a slider on a spring, in the slider's place and the rod's angle from
// the downward vertical: an ODE. The rod's end is at (x + 2a sin(theta), -2a cos(theta)).
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, eq. (21), after Zhu et al. (2010).
model SpringMassPendulumAngle "Lagrangian of the second kind: one rod hung from a slider on a spring"
  parameter Real g = 9.8;
  parameter Real a = 1 "half the length of the rod";
  parameter Real M = 5 "mass of the slider";
  parameter Real m = 2 "mass of the rod";
  parameter Real k = 10 "stiffness of the spring";
  Real x(start = {4, 0}, fixed = {true, true}) "the slider";
  Real theta(start = {-asin(1), 0}, fixed = {true, true});
lagrangian
  coordinates x, theta;
  function 0.5*(M + m)*der(x)^2 + m*a*der(x)*der(theta)*cos(theta) + 2/3*m*a^2*der(theta)^2
    - 0.5*k*x^2 - m*g*a*(1 - cos(theta));
annotation(experiment(StartTime = 0, StopTime = 40, Tolerance = 1e-9));
end SpringMassPendulumAngle;
