model Absurd
  Real x[1000000000, 1000000000];
  parameter Integer n = 99999999999999999999;
equation
  for i in 1:1000000000, j in 1:n loop
    der(x[i, j], 1000000000) = sum(k^1e308 for k in 1:1e300);
  end for;
end Absurd;
