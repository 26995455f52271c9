model Spin "once around the unit circle"
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = -y;
  der(y) = x;
annotation(experiment(StopTime = 6.283185307179586));
end Spin;
