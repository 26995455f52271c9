// The double pendulum of double_pendulum.mo, second order, with so much energy that both rods make
// full turns, against each other: within five seconds they meet in all 16 pairs of quadrants. From
// the bottom with angular velocities w1 of the upper and w2 of the lower rod.
// Source: Andrejevic and Ding (2020), Solving differential-algebraic systems of equations (DAEs),
// lecture AM 205, "The double pendulum"; the 16 pairs: Pryce et al. (2018), section 3.3. The start
// is our choice.
model DoublePendulumSpinning "double pendulum whose rods go round against each other"
  parameter Real g = 9.80665;
  parameter Real w1 = -15 "angular velocity of the upper rod at the start";
  parameter Real w2 = 18 "of the lower rod";
  Real x1(start = {0, w1}, fixed = {true, true});
  Real y1(start = {-1, 0});
  Real x2(start = {0, w1 + w2}, fixed = {true, true});
  Real y2(start = {-2, 0});
  Real lambda1;
  Real lambda2;
equation
  der(x1, 2) = -lambda1*x1 - lambda2*(x1 - x2);
  der(y1, 2) = -lambda1*y1 - lambda2*(y1 - y2) - g;
  der(x2, 2) = -lambda2*(x2 - x1);
  der(y2, 2) = -lambda2*(y2 - y1) - g;
  upper_rod: 0 = x1^2 + y1^2 - 1;
  lower_rod: 0 = (x2 - x1)^2 + (y2 - y1)^2 - 1;
annotation(experiment(StartTime = 0, StopTime = 5, Tolerance = 1e-9),
  __daedal(draw = {line({{0, 0}, {x1, y1}, {x2, y2}}),
    circle({{x1, y1}, {x2, y2}}, radius = 0.06),
    trace({x2, y2})}));
end DoublePendulumSpinning;
