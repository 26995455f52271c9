model TooFew
  Real x;
  Real flow;
  Real pressure;
equation
  motion: der(x) = -x;
  valve: flow = 2*pressure + x;
end TooFew;
