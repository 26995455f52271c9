// Structural analysis fails: the derivative of the second equation repeats the highest derivatives
// of the first.
// Exact: y2 = -t, y1 = t^2 + t; no freedom.
// Source: Andrejevic and Ding (2020), Solving differential-algebraic systems of equations (DAEs),
// lecture AM 205, example of a system that is not semi-explicit.
model Linear5 "linear, hidden from structural analysis"
  Real y1;
  Real y2;
equation
  der(y1) + der(y2) + 2*y2 = 0;
  y1 + y2 = time^2;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Linear5;
