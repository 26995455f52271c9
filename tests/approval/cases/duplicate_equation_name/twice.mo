model Twice
  Real x;
  Real y;
equation
  motion: der(x) = -y;
  motion: der(y) = x;
end Twice;
