model Sizes
  Real x[3];
equation
  for i in 1:3 loop
    der(x[i]) = x[i + 1];
  end for;
end Sizes;
