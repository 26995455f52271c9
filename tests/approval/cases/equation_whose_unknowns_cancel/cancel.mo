model Cancel
  Real x;
  Real y;
equation
  motion: der(x) = -x;
  same: y - y = 0;
end Cancel;
