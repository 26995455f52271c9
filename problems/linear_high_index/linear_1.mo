// x3 is given, x2 and x1 follow by differentiation; no freedom.
// Exact: x3 = cos t, x2 = 2 sin t, x1 = sin t - 2 cos t.
// Source: indigo (D. Stocco), maple/tests/Test_24_Index3.
model Linear1 "linear, index 3"
  Real x1;
  Real x2;
  Real x3;
equation
  der(x2) + x1 = sin(time);
  der(x3) + x2 = sin(time);
  x3 = cos(time);
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Linear1;
