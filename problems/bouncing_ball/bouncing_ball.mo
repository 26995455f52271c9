// A ball that falls, bounces, and loses a part of its speed each time: infinitely many bounces in a
// finite time. A textbook example; the constants are our choice.
model BouncingBall "bouncing ball"
  parameter Real g = 9.81;
  parameter Real e = 0.8 "part of the speed that a bounce leaves";
  Real h(start = 1, fixed = true) "height";
  Real v(start = 0, fixed = true) "velocity";
equation
  der(h) = v;
  der(v) = -g;
  bounce: when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
annotation(experiment(StartTime = 0, StopTime = 5, Tolerance = 1e-9),
  __daedal(draw = {line({{-0.5, 0}, {0.5, 0}}, color = "gray"),
    circle({0, h + 0.05}, radius = 0.05)}));
end BouncingBall;
