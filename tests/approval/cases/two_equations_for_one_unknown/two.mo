model TwoForOne
  Real x;
  Real y;
  Real z;
equation
  first: x = sin(time);
  second: der(x) = cos(time);
  third: y + z = x;
end TwoForOne;
