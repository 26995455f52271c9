model Hidden "the sum of the derivatives is known twice"
  Real y1;
  Real y2;
equation
  rate: der(y1) + der(y2) + 2*y2 = 0;
  total: y1 + y2 = time^2;
end Hidden;
