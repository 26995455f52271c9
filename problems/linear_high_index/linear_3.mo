// Structural analysis fails: the first derivatives of the five states cancel in the derivative of
// the last equation. The true index is 4. Exact from a zero start: all six unknowns are sin t.
// Source: indigo (D. Stocco), maple/tests/Test_17_Index4.
model Linear3 "linear, index 4, hidden from structural analysis"
  Real x1(start = 0);
  Real x2(start = 0);
  Real x3(start = 0);
  Real x4(start = 0);
  Real x5(start = 0);
  Real x6(start = 0);
equation
  der(x1) = cos(time) - x2 + x3;
  der(x2) = cos(time) - x3 + x4;
  der(x3) = cos(time) - x4 + x5;
  der(x4) = cos(time) - x5 + x6;
  der(x5) = cos(time) + sin(time) - x6;
  x1 + x2 + x3 + x4 + x5 = 5*sin(time);
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Linear3;
