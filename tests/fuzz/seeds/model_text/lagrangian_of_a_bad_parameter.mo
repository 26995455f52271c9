model Bad
  parameter Real m[2] = {1, nothing};
  Real x;
lagrangian
  coordinates x;
  function m[1]*der(x)^2;
end Bad;
