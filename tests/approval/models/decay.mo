model Decay "x = exp(-t)"
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
annotation(experiment(StopTime = 2, Tolerance = 1e-10));
end Decay;
