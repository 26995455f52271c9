model Absurd
  parameter Integer n = 1000000000000;
  Real x[n];
equation
  for i in 1:n loop
    der(x[i]) = -x[i];
  end for;
end Absurd;
