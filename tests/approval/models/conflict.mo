model Conflict "fixed values that are not on the circle"
  Real x(start = 10, fixed = true);
  Real y(start = 1, fixed = true);
  Real lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = 9.81;
  length: x^2 + y^2 = 100;
end Conflict;
