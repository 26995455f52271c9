// A DAE of index 3 whose solution is a polynomial of degree m: a method of order m or more makes
// rounding errors only. w is an oscillator about x that starts on it, so that an error would swing.
// Source: ours. x = w = (t - 1)^m, y and z are its first two derivatives.
model Polynomial "polynomial solution of degree m"
  parameter Integer m = 4 "degree, at least 1";
  Real x;
  Real y;
  Real z;
  Real w(start = {(-1)^m, m*(-1)^(m - 1)}, fixed = {true, true});
equation
  path: x = (time - 1)^m;
  der(x) = y;
  der(y) = z;
  der(w, 2) = z + x - w;
annotation(experiment(StartTime = 0, StopTime = 3, Tolerance = 1e-9));
end Polynomial;
