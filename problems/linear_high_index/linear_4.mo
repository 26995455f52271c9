// The structural index is 3, the true index 1. Exact: x1 = x2 = 0, x3 = x4 = sin t, x5 = cos t; x2
// and x4 are free at the start and decay to this.
// Source: Reissig, Martinson and Barton (2000), Differential-algebraic equations of index 1 may
// have an arbitrarily high structural index; as in indigo (D. Stocco), maple/tests/Test_22_Reissig.
model Linear4 "linear, structural index 3, index 1"
  Real x1;
  Real x2(start = 0, fixed = true);
  Real x3;
  Real x4(start = 0, fixed = true);
  Real x5;
equation
  der(x2) + der(x3) + x1 = cos(time);
  der(x2) + der(x3) + x2 = cos(time);
  der(x4) + der(x5) + x3 = cos(time);
  der(x4) + der(x5) + x4 = cos(time);
  x5 = cos(time);
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Linear4;
