model Empty
  parameter Real a = 1;
  Real x;
equation
  motion: der(x) = -x;
  wish: a = 2;
end Empty;
