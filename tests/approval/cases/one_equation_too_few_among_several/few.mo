model TooFew
  Real x;
  Real q;
  Real p;
equation
  motion: der(x) = -x;
  valve: q = 2*p + x;
end TooFew;
