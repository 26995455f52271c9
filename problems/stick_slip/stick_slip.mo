// A block on a moving belt, held by a spring and driven: m x'' = -k x + A cos(w t) + friction. Dry
// friction F pulls it along with the belt if it is slower and holds it back if it is faster; as
// long as a smaller force will do, it rests on the belt (a sliding mode in the sense of Filippov).
// Driven oscillator with dry friction: Den Hartog (1930), eq. (1); the belt and the constants are
// ours.
model StickSlip "block on a belt, with dry friction"
  parameter Real m = 1;
  parameter Real k = 1;
  parameter Real F = 1 "friction";
  parameter Real vb = 0.5 "velocity of the belt";
  parameter Real A = 1.5;
  parameter Real w = 0.5;
  Real x(start = {0, 0}, fixed = {true, true});
equation
  m*der(x, 2) = -k*x + A*cos(w*time) + (if der(x) < vb then F else -F);
annotation(experiment(StartTime = 0, StopTime = 20, Tolerance = 1e-9));
end StickSlip;
