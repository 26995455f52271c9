model Loop
  parameter Integer n = 3;
  Real x[n];
  Real s;
equation
  for i in 1:n loop
    der(x[i]) = -i*x[i];
  end for;
  s = sum(x);
  s = 1;
end Loop;
