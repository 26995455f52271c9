// A linear system B(t) x = q(t) with a rotation B, from t = pi: series of a quotient of functions.
// Source: Estevez Schwarz and Lamour (2019), InitDAE, appendix A.3.
model Rotation "linear system with a rotating matrix"
  Real x1;
  Real x2;
equation
  cos(time)*x1 - sin(time)*x2 = sin(time);
  sin(time)*x1 + cos(time)*x2 = cos(time);
annotation(experiment(StartTime = 3.141592653589793, StopTime = 10, Tolerance = 1e-9));
end Rotation;
