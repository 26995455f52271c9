model Nested
  Real x;
equation
  if 1 < 2 then if true then for i in 1:1 loop if i > 0 then x = ((((-(-(2*(x^2))))))); end if; end for; end if; else x = 1; end if;
end Nested;
