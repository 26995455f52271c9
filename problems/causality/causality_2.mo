// x1 causes x2: an ODE in disguise, one degree of freedom.
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, DAE (2). The driving function u(t) = sin(t) is our choice.
model Causality2 "DAE (2): x1 causes x2"
  Real x1;
  Real x2(start = 0, fixed = true);
equation
  x1 - sin(time) = 0;
  x1 - der(x2) = 0;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Causality2;
