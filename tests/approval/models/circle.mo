model Circle "no start for r < 1"
  parameter Integer n = 2;
  parameter Real r = 2;
  parameter Real w[n] = {1, 2};
  Real x;
  Real y(start = 1, fixed = true);
  Real s(start = 0, fixed = true);
equation
  x^2 + y^2 = r^2;
  der(y) = 0;
  der(s) = w[1]*x + w[2]*y;
end Circle;
