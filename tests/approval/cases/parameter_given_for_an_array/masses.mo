model Masses
  parameter Real m[2] = {1, 2};
  Real x[2];
equation
  m .* der(x) = -x;
end Masses;
