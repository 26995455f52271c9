model Table "a beam on three legs"
  parameter Real m = 6, I = 2, g = 9.81;
  parameter Real a[3] = {-1, 0, 2} "where the legs stand";
  Real y, phi;
lagrangian
  coordinates y, phi;
  function 0.5*m*der(y)^2 + 0.5*I*der(phi)^2 - m*g*y;
  for i in 1:3 loop
    leg: constraint y + a[i]*phi = 0;
  end for;
end Table;
