model Drop "falls, and is slowed down"
  parameter Real k = 0.5 "drag";
  Real v(start = 2);
equation
  law: der(v) = 9.81 - k*v^2*sqrt(v);
end Drop;
