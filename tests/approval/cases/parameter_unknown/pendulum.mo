model Pendulum
  parameter Real g = 9.81;
  parameter Real L = 10;
  Real x;
  Real y;
  Real lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = g;
  length: x^2 + y^2 = L^2;
end Pendulum;
