// A block on a moving belt, held by a spring: at rest on the belt it holds until the spring pulls
// with more than Fs; then it slips with the smaller friction Fk until it is as fast as the belt
// again. Whether it is stuck is a variable of its own: index 2 if so, else 1. A textbook example;
// the constants are our choice.
model StickSlipStatic "block on a belt, with larger friction at rest"
  parameter Real m = 1;
  parameter Real k = 2;
  parameter Real Fs = 1.5 "largest friction at rest";
  parameter Real Fk = 1 "friction when it slips";
  parameter Real vb = 0.4 "velocity of the belt";
  Real x(start = 0, fixed = true);
  Real f "friction";
  Boolean stuck(start = true);
equation
  m*der(x, 2) = f - k*x;
  friction: 0 = if stuck then der(x) - vb else f - Fk;
  slip: when f > Fs then
    stuck = false;
  end when;
  stick: when der(x) >= vb then
    stuck = true;
  end when;
annotation(experiment(StartTime = 0, StopTime = 20, Tolerance = 1e-9));
end StickSlipStatic;
