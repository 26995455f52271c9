// The three roots of a cubic whose coefficients change with time, by Vieta's formulas. Nothing is
// differentiated: the solution is followed from equation solving alone.
// Source: ours. The roots are sin(t), 2 + cos(t) and -2 + cos(t), never closer than 2 - sqrt(2).
model Continuation "roots of a cubic followed in time"
  Real x(start = 0.1);
  Real y(start = 2.8);
  Real z(start = -0.9);
equation
  x + y + z = sin(time) + 2*cos(time);
  x*y + y*z + z*x = 2*sin(time)*cos(time) + cos(time)^2 - 4;
  x*y*z = sin(time)*(cos(time)^2 - 4);
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Continuation;
