// A linear DAE with a coefficient that changes in time: the solution contains the coefficient's derivative.
// Source: Campbell and Hollenbeck (1996), Automatic Differentiation and Implicit Differential Equations, eq. (2), with
// alpha(t) = 2 + sin t, which is not zero anywhere; the choice of alpha is ours.
// Exact, eq. (3): x3 = c e^t - 1, x2 = t + alpha x3, x1 = 1 + alpha' x3 + c alpha e^t; here c = 2.
model CampbellExample "linear system with a coefficient that changes in time"
  Real x1;
  Real x2;
  Real x3(start = 1, fixed = true);
equation
  der(x2) = x1;
  x2 = time + (2 + sin(time))*x3;
  der(x3) = x3 + 1;
annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-9));
end CampbellExample;
