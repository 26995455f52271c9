// linear_2.mo for any length: x[n] is given, every other unknown follows from the derivative of the
// next, so that x[1] needs n - 1 differentiations. Index n, no freedom.
model Chain "chain of n - 1 differentiators"
  parameter Integer n = 6 "number of unknowns";
  Real x[n];
equation
  for i in n:-1:2 loop
    der(x[i]) + x[i - 1] = sin(time);
  end for;
  x[n] = cos(time);
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Chain;
