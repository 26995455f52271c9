model Pendulum
  parameter Real l = 1, m = 1, g = 9.81;
  Real q[2](start = {1, 0}), z, u;
lagrangian
  coordinates q, z;
  function 0.5*m*(der(q[1])^2 + der(q[2])^2 + der(z)^2) - m*g*q[2];
  for i in 1:1 loop
    length: constraint q[1]^2 + q[2]^2 = l^2;
  end for;
  constraint der(z) = der(q[1]);
  force z = u;
  dissipation 0.1*der(z)^2;
equation
  u = time;
end Pendulum;
