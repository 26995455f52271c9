// An upright disc rolls without slipping on a plane that falls off along x, turning at a constant
// rate: constraints on velocities. It does not run away downhill but drifts across it. theta is its
// heading, phi its angle of rolling. With b = g sin(slope)/(1 + J/(m R^2)) and theta = w t,
//   x = b/(2 w^2) sin(w t)^2,  y = b/(2 w) (t - sin(2 w t)/(2 w)),  phi = b/(w^2 R) (1 - cos(w t)).
// Source: textbook, after the skate on an inclined plane, Neimark and Fufaev (1972), Dynamics of
// Nonholonomic Systems; solution derived by hand.
model RollingDisc "disc that rolls on an inclined plane"
  parameter Real g = 9.8;
  parameter Real slope = 0.3 "angle of the plane";
  parameter Real m = 2 "mass";
  parameter Real R = 0.5 "radius";
  parameter Real I = 0.125 "moment of inertia about the upright axis";
  parameter Real J = 0.25 "moment of inertia about the axle";
  parameter Real w = 1.5 "rate of turning";
  Real x(start = {0, 0}, fixed = {true, true});
  Real y(start = {0, 0}, fixed = {true, true});
  Real theta(start = {0, w}, fixed = {true, true});
  Real phi(start = {0, 0}, fixed = {true, false});
lagrangian
  coordinates x, y, theta, phi;
  function 0.5*m*(der(x)^2 + der(y)^2) + 0.5*I*der(theta)^2 + 0.5*J*der(phi)^2 + m*g*sin(slope)*x;
  grip_x: constraint der(x) = R*cos(theta)*der(phi);
  grip_y: constraint der(y) = R*sin(theta)*der(phi);
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9),
  __daedal(draw = {polygon({{x + R*cos(theta)*cos(a), y + R*sin(theta)*cos(a), R + R*sin(a)} for a in 0:0.2:6.2}),
    line({{x, y, R}, {x + R*cos(theta)*sin(phi), y + R*sin(theta)*sin(phi), R + R*cos(phi)}}, width = 3),
    trace({x, y, 0})}));
end RollingDisc;
