// x1 is algebraic, but is known only once x2 has been integrated.
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, DAE (4). The driving function u(t) = sin(t) is our choice.
model Causality4 "DAE (4): x1 and x2 coupled"
  Real x1;
  Real x2(start = 0, fixed = true);
equation
  x1 - x2 - sin(time) = 0;
  x1 - der(x2) = 0;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Causality4;
