// A mass slides without friction over a round dome, leaves it, falls, slides on along the floor:
// two contacts that push and do not pull (lambda, mu >= 0), none or one of them closed. In contact
// the index is 3, in flight 1. On the floor the mass does not bounce: its velocity downwards is
// lost. y points upwards; lambda R and mu are forces per mass. Classical mechanics (from rest, the
// dome is left at cos = 2/3); the floor and the constants are ours.
model Dome "mass on a dome"
  parameter Real g = 9.81;
  parameter Real R = 1;
  Real x(start = {0, 0.7}, fixed = {true, true});
  Real y(start = {1, 0});
  Real lambda(start = 9);
  Real mu(start = 0);
equation
  der(x, 2) = x*lambda;
  der(y, 2) = y*lambda + mu - g;
  dome: 0 = min(lambda, x^2 + y^2 - R^2);
  ground: 0 = min(mu, y);
annotation(experiment(StartTime = 0, StopTime = 1.5, Tolerance = 1e-9),
  __daedal(draw = {line({{-2*R, 0}, {2*R, 0}}, color = "gray"),
    line({{R*cos(a), R*sin(a)} for a in 0:0.1:3.2}, color = "gray"),
    circle({x, y}, radius = 0.05),
    trace({x, y})}));
end Dome;
