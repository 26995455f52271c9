model Domain
  Real x(start = -1);
equation
  der(x) = log(-1 - x^2);
end Domain;
