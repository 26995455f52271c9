// A mass on a string, which pulls but does not push: taut it is a pendulum (index 3), slack a mass
// in free flight (index 1). When the string becomes taut again the mass keeps its velocity along
// the circle only. y points upwards; lambda L is the string's force per mass. A textbook example;
// the constants are our choice: too fast to swing back, too slow to go round.
model SlackPendulum "pendulum on a string"
  parameter Real g = 9.81;
  parameter Real L = 1;
  Real x(start = {0, 6.5}, fixed = {true, true});
  Real y(start = {-1, 0});
  Real lambda(start = 50);
  output Real energy = 0.5*(der(x)^2 + der(y)^2) + g*y;
equation
  der(x, 2) = -x*lambda;
  der(y, 2) = -y*lambda - g;
  string: 0 = min(lambda, L^2 - x^2 - y^2);
  top: when der(y) < 0 then end when;
annotation(experiment(StartTime = 0, StopTime = 5, Tolerance = 1e-9),
  __daedal(draw = {line({{0, 0}, {x, y}}),
    circle({x, y}, radius = 0.05),
    trace({x, y})}));
end SlackPendulum;
