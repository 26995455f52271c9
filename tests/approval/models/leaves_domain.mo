model LeavesDomain "the root of x ends at t = 1"
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -1;
  root: y = sqrt(x);
annotation(experiment(StopTime = 2));
end LeavesDomain;
