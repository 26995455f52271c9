// A closed four-bar linkage in the plane: crank from (0, 0) to A, coupler from A to B, rocker from B to
// (d, 0); massless bars, masses at A and B, gravity downwards. The crank is the shortest bar and goes
// round (Grashof: a + b <= c + d). One degree of freedom in four coordinates and three multipliers.
// Source: textbook mechanism; numbers ours.
model FourBar "closed four-bar linkage"
  parameter Real g = 9.8;
  parameter Real a = 1 "crank";
  parameter Real b = 3 "coupler";
  parameter Real c = 2.5 "rocker";
  parameter Real d = 3 "frame";
  parameter Real ma = 1 "mass at A";
  parameter Real mb = 2 "mass at B";
  Real xa(start = {0, -6}, fixed = {true, true});
  Real ya(start = {1, 0});
  Real xb(start = {2.6, -5.5});
  Real yb(start = {2.5, -0.9});
lagrangian
  coordinates xa, ya, xb, yb;
  function 0.5*ma*(der(xa)^2 + der(ya)^2) + 0.5*mb*(der(xb)^2 + der(yb)^2) - g*(ma*ya + mb*yb);
  crank: constraint xa^2 + ya^2 = a^2;
  coupler: constraint (xb - xa)^2 + (yb - ya)^2 = b^2;
  rocker: constraint (xb - d)^2 + yb^2 = c^2;
annotation(experiment(StartTime = 0, StopTime = 5, Tolerance = 1e-9),
  __daedal(draw = {line({{0, 0}, {xa, ya}, {xb, yb}, {d, 0}}, width = 4),
    circle({{xa, ya}, {xb, yb}}, radius = 0.12),
    trace({(xa + xb)/2, (ya + yb)/2})}));
end FourBar;
