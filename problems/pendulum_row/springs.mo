// Pendula side by side, y upwards, x from each one's own pivot, neighbours joined by springs. The
// coupling is through positions: every pendulum is a block of 3 equations of its own.
// Source: ours; for the growth of cost with the number of unknowns, 3 n.
model Springs "pendula joined by springs"
  parameter Integer n = 4 "number of pendula";
  parameter Real g = 1;
  parameter Real s = 1 "stiffness";
  Real x[n](start = {{0.5*sin(k), 0} for k in 1:n}, each fixed = {true, true});
  Real y[n](start = {{-sqrt(1 - (0.5*sin(k))^2), 0} for k in 1:n});
  Real lam[n];
equation
  for k in 1:n loop
    der(x[k], 2) + lam[k]*x[k] = s*(x[max(k - 1, 1)] - 2*x[k] + x[min(k + 1, n)]);
    der(y[k], 2) + lam[k]*y[k] = -g;
    rod: x[k]^2 + y[k]^2 = 1;
  end for;
annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-9));
end Springs;
