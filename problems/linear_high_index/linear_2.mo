// x6 is given, each other unknown follows from the derivative of the next; no freedom. chain.mo is
// the same for any length.
// Exact: x6 = cos t, x5 = 2 sin t, x4 = sin t - 2 cos t, x3 = -sin t - cos t, x2 = cos t,
// x1 = 2 sin t.
// Source: indigo (D. Stocco), maple/tests/Test_18_Index6.
model Linear2 "linear, index 6"
  Real x1;
  Real x2;
  Real x3;
  Real x4;
  Real x5;
  Real x6;
equation
  der(x6) + x5 = sin(time);
  der(x5) + x4 = sin(time);
  der(x4) + x3 = sin(time);
  der(x3) + x2 = sin(time);
  der(x2) + x1 = sin(time);
  x6 = cos(time);
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Linear2;
