// Pendula side by side, y upwards, x from each one's own pivot, neighbours joined by inerters, whose
// force is proportional to the relative acceleration. The coupling is through the highest
// derivatives: the whole row is one sparse block.
// Source: ours; for the growth of cost with the number of unknowns, 3 n.
model Inerters "pendula joined by inerters"
  parameter Integer n = 4 "number of pendula";
  parameter Real g = 1;
  parameter Real b = 0.5 "inertance";
  Real x[n](start = {{0.5*sin(k), 0} for k in 1:n}, each fixed = {true, true});
  Real y[n](start = {{-sqrt(1 - (0.5*sin(k))^2), 0} for k in 1:n});
  Real lam[n];
equation
  for k in 1:n loop
    der(x[k], 2) + lam[k]*x[k] = b*der(x[max(k - 1, 1)] - 2*x[k] + x[min(k + 1, n)], 2);
    der(y[k], 2) + lam[k]*y[k] = -g;
    rod: x[k]^2 + y[k]^2 = 1;
  end for;
annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-9));
end Inerters;
