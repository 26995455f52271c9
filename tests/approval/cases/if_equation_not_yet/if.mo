model If
  Real x;
equation
  if x > 0 then
    der(x) = -1;
  else
    der(x) = 1;
  end if;
end If;
