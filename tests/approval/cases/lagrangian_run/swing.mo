model Swing
  parameter Real m = 1;
  parameter Real g = 9.81;
  parameter Real l = 1;
  Real x(start = {1, 0});
  Real y(start = {0, 1}, fixed = {true, true});
lagrangian
  coordinates x, y;
  function 0.5*m*(der(x)^2 + der(y)^2) + m*g*y;
  constraint x^2 + y^2 = l^2;
end Swing;
