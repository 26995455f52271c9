// The pendulum of pendulum.mo, on a rod of length 1, with so much speed that it goes round: from
// the bottom with w^2 > 4 g/L. One turn takes 1.3; x and y change their roles four times in it.
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, eq. (12); constants and start are our choice.
model PendulumSpinning "pendulum that goes round"
  parameter Real g = 9.81;
  parameter Real L = 1;
  parameter Real w = 7 "angular velocity at the bottom";
  Real x(start = {0, L*w}, fixed = {true, true});
  Real y(start = {L, 0});
  Real lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = g;
  length: x^2 + y^2 = L^2;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9),
  __daedal(draw = {line({{0, 0}, {x, -y}}),
    circle({x, -y}, radius = L/20)}));
end PendulumSpinning;
