model Late
  Real x;
  Real y;
equation
  motion: der(x) = -x;
  same: 2*(x + y) - 2*x = 2*y;
end Late;
