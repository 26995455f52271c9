model Missing
  parameter Real k;
  parameter Real m = 1;
  Real x;
equation
  m*der(x, 2) = -k*x;
end Missing;
