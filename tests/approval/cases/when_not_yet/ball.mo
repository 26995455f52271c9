model Ball
  Real h(start = {1, 0});
equation
  der(h, 2) = -9.81;
  when h < 0 then
    reinit(der(h), -0.8*der(h));
  end when;
end Ball;
