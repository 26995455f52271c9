// A linear system with a full matrix before the derivatives, so that its Jacobian is one dense
// block: M x' = -M A x, A diagonal, whence x_j = exp(-j t/n) whatever M is. Ours.
model DenseLinear "linear system with a full mass matrix"
  parameter Integer n = 4 "number of unknowns";
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    2*der(x[i]) + sum(cos(i + j^2)/n*der(x[j]) for j in 1:n) =
      -2*i/n*x[i] - sum(cos(i + j^2)/n*j/n*x[j] for j in 1:n);
  end for;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end DenseLinear;
