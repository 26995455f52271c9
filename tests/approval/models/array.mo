model Names "array elements, one of which needs quotes in CSV"
  Real x[2](each start = 1, each fixed = true);
  Real y[1, 2](each start = 1, each fixed = true);
equation
  for i in 1:2 loop
    der(x[i]) = -i*x[i];
    der(y[1, i]) = x[i];
  end for;
end Names;
