model Swing
  parameter Real m = 1;
  parameter Real l = 1;
  Real x;
  Real y;
  Real u;
lagrangian
  coordinates x, y;
  function 0.5*m*(der(x)^2 + der(y)^2) + m*9.81*y;
  l: constraint x^2 + y^2 = l^2;
  constraint u = sin(time);
  force u = 1;
  foce x = 2;
end Swing;
