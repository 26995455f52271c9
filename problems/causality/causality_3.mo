// x2 causes x1: no degree of freedom, nothing to integrate.
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, DAE (3). The driving function u(t) = sin(t) is our choice.
model Causality3 "DAE (3): x2 causes x1"
  Real x1;
  Real x2;
equation
  x2 - sin(time) = 0;
  x1 - der(x2) = 0;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Causality3;
