model Pole "a pole at t = 1/a"
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = a*x^2;
end Pole;
