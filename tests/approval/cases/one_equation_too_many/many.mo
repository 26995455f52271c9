model TooMany
  Real x;
  Real y;
equation
  motion: der(x) = -x;
  copy: x = cos(time);
  other: der(y) = x - y;
end TooMany;
