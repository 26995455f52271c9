model Events
  parameter Real p = 1;
  Real x(start = {1, 0}), y;
  Boolean on;
  Integer k(start = 2.5);
equation
  der(x, 2) = if x == 0 then 1 else -p;
  on = x > 0;
  if x > 0 then
    y = 1;
    x = 2;
  else
    y = 2;
  end if;
  when x < 0 then
    y = 1;
    p = 2;
    reinit(on, false);
  end when;
  when on and not pre(on) then
    on = sample(0, 1);
  end when;
  reinit(x, 1);
end Events;
