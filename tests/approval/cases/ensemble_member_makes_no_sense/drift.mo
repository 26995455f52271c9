model Drift
  parameter Real m = 2;
  parameter Real mobility = 1/m;
  Real x(start = 1, fixed = true, nominal = m);
equation
  der(x) = -mobility*x;
end Drift;
