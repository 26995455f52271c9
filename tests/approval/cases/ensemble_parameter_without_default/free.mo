model Free
  parameter Real k;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Free;
