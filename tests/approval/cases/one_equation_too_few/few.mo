model TooFew
  Real x;
  Real y;
  Real lambda;
  Real idle;
equation
  swing: der(x, 2) + x*lambda = 0;
  fall: der(y, 2) + y*lambda = 9.81;
  length: x^2 + y^2 = 100;
end TooFew;
