model Pendulum "guesses that are not on the circle, and a speed that nothing determines"
  parameter Real g = 9.81;
  parameter Real L = 10;
  Real x(start = 9);
  Real y(start = 1);
  Real lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = g;
  length: x^2 + y^2 = L^2;
annotation(experiment(StopTime = 10));
end Pendulum;
