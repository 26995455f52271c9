model NoStart "a circle of imaginary radius"
  Real x(start = 1);
  Real y(start = 1);
equation
  der(x) = y;
  circle: x^2 + y^2 = -1;
end NoStart;
