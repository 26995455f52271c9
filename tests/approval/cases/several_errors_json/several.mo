model Several
  parameter Real gravity = 9.81
  Real x;
  Real x;
  Real v[2];
equation
  der(x) = vv[1];
  der(v[1]) = -gravty;
  v = {1, 2, 3};
end Several;
