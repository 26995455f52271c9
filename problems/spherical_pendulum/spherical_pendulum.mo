// A mass on a rod that turns about a fixed point in space, z upwards. Energy and the moment of momentum
// about the vertical are kept.
// Source: textbook; numbers ours.
model SphericalPendulum "pendulum in space"
  parameter Real g = 9.8;
  parameter Real l = 2 "length of the rod";
  parameter Real m = 1;
  Real x(start = {1.2, 0}, fixed = {true, true});
  Real y(start = {0, 1.5}, fixed = {true, true});
  Real z(start = {-1.6, 0});
lagrangian
  coordinates x, y, z;
  function 0.5*m*(der(x)^2 + der(y)^2 + der(z)^2) - m*g*z;
  rod: constraint x^2 + y^2 + z^2 = l^2;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9),
  __daedal(draw = {line({{0, 0, 0}, {x, y, z}}),
    circle({x, y, z}, radius = 0.12),
    trace({x, y, z})}));
end SphericalPendulum;
