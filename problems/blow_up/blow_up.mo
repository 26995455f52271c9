// The solution 1/(1 - t) has a pole at t = 1: no method can go past it.
// Source: textbook.
model BlowUp "solution with a pole"
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-9));
end BlowUp;
