model Infinite
  parameter Real m = 2;
  parameter Real mobility = 1/m;
  Real x;
equation
  der(x) = -mobility*x;
end Infinite;
