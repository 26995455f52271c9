model TwoForOne "two equations for one unknown"
  Real x;
  Real y;
equation
  one: der(x) = -x;
  two: x = cos(time);
end TwoForOne;
