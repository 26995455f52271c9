model Everything "every construct once"
  constant Real pi = Modelica.Constants.pi;
  parameter Integer n = 3 "size";
  parameter Boolean on = true;
  parameter Real a[:] = {1, 2.5e-1, .5}, m(unit = "kg", min = 0) = 1;
  parameter Real c[2, 2] = {{1, 2}, {3, 4}};
  Real x[n](start = {{1, 0}, {2, 0}, {3, 0}}, each fixed = false, each nominal = 10);
  Real y(start = {1, 0}, fixed = {true, false}), 'a b'(start = n);
  discrete Real level(start = 0);
  Boolean taut = y > 0 and not on or 'a b' >= 1;
  output Real energy = sum(x[i]^2 for i in 1:n) + x*x;
initial equation
  y = 1;
equation
  for i in 1:n, j in {1, 2} loop
    if i == j then
      row: der(x[i], 2) + a[i]*x[i] = sin(time) + max(abs(y), min(x));
    end if;
  end for;
  x[end] = sum({a[k]*x[k] for k in 1:2:3});
  der(y) = if taut then -y elseif level > 0 then div(n, 2) else product(1:n)*c[1, 2]^2;
  'a b' = atan2(y, 1) .* sqrt(abs(x[2])) + exp(-time)/(1 + tanh(y)) - size(x, 1) + sum(zeros(2)) + sum(fill(1, 2));
  when y < 0.5 then
    reinit(y, -pre(y));
    level = pre(level) + 1;
  elsewhen time > 10 then
    terminate("done");
  end when;
  annotation(experiment(StartTime = 0, StopTime = 1, Tolerance = 1e-6),
    __daedal(draw = {line({{0, 0}, {y, 'a b'}}, color = "red"), circle({{y, y}}, radius = 0.1)}));
end Everything;
