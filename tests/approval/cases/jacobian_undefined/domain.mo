model Domain
  Real x(start = -1);
equation
  log(-1 - x^2)*der(x) = 1;
end Domain;
