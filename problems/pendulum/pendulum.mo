// Simple pendulum in cartesian coordinates, y downwards.
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, eq. (12) and the constants of Figure 1. Start: our choice, horizontal with y' = 1.
model Pendulum "simple pendulum in cartesian coordinates"
  parameter Real g = 9.81;
  parameter Real L = 10;
  Real x(start = {10, 0});
  Real y(start = {0, 1}, fixed = {true, true});
  Real lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = g;
  length: x^2 + y^2 = L^2;
annotation(experiment(StartTime = 0, StopTime = 100, Tolerance = 1e-9),
  __daedal(draw = {line({{0, 0}, {x, -y}}),
    circle({x, -y}, radius = L/20),
    trace({x, -y})}));
end Pendulum;
