model Sizes
  Real x[3];
  Real y[2];
equation
  x = y;
  der(y) = -y;
end Sizes;
