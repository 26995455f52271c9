model If
  Real x;
equation
  der(x) = if x > 0 then -1 else 1;
end If;
