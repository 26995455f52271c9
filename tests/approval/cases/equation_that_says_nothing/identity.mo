model Identity
  Real x;
  Real y;
equation
  motion: der(x) = -x;
  circle: sin(y)^2 + cos(y)^2 = 1;
end Identity;
