// Planar parallel robot for pick-and-place: two arms P_i A_i, turned by motors at (+-xp, 0), carry
// the plate at (x, z) on forearms A_i B. A PID controller in joint space follows a prescribed
// trajectory, with torques of alpha at most. Dry friction acts against the arms' turning. Six
// conditions (two directions, two limits of two torques) make 64 combinations, of which 36 are
// possible: a torque cannot be at both of its limits.
// Source: Nedialkov and Ramdani (2009), Towards Integrating Hybrid DAEs with a High-Index DAE
// Solver, INRIA RR-6834, sections 4 and 5, Table 1. The equations are its (10) to (15), in its
// order.
model ParallelRobot "parallel robot under PID control, torques limited"
  constant Real pi = Modelica.Constants.pi;
  constant Real side[2] = {1, -1} "arm 1 is on the right";
  parameter Real xp = 0.1 "x of the right motor";
  parameter Real L = 0.3 "length of an arm";
  parameter Real l = 0.7 "length of a forearm";
  parameter Real m1 = 0.82 "mass of an arm";
  parameter Real m2 = 0.14 "mass of a forearm";
  parameter Real m3 = 0.5 "mass of the plate";
  parameter Real m4 = 5.0 "load";
  parameter Real Jmot = 0.37e-2 "inertia of a motor";
  parameter Real Jred = 9.09e-4 "inertia of a gear";
  parameter Real I = 0.018895002 "inertia of an arm";
  parameter Real Fs = 3.0 "dry friction";
  parameter Real Fv = 0.5 "viscous friction";
  parameter Real alpha = 50 "largest torque of a motor";
  parameter Real n = 5 "gear ratio";
  parameter Real g = 9.81;
  parameter Real Kc = 600 "controller gain";
  parameter Real Ti = 300 "its integration time";
  parameter Real Td = 0.05 "its derivative time";
  Real x(start = {0, 0});
  Real z(start = {-0.6, 0});
  Real q[2](each start = {0, 0}) "angles of the arms";
  Real qd[2](each start = 0) "angles that put the plate on the trajectory";
  Real y[2] "forces along the forearms, scaled";
  Real G[2] "torques of the motors";
  Real E[2](each start = 0) "integrals of the tracking errors";
equation
  // the forearms keep their length, (10), also on the trajectory, (11)
  for i in 1:2 loop
    (x - side[i]*(xp + L*cos(q[i])))^2 + (z + L*sin(q[i]))^2 = l^2;
  end for;
  for i in 1:2 loop
    (-0.35*sin(2*pi*time) - side[i]*(xp + L*cos(qd[i])))^2
      + (-0.7 + 0.1*cos(2*pi*time) + L*sin(qd[i]))^2 = l^2;
  end for;
  // the plate with half of each forearm, (12)
  sum(2*(x - side[i]*(xp + L*cos(q[i])))*y[i] for i in 1:2) + (m2 + m3 + m4)*der(x, 2) = 0;
  sum(2*(z + L*sin(q[i]))*y[i] for i in 1:2) + (m2 + m3 + m4)*(der(z, 2) - g) = 0;
  // the arms: motor and gear, friction, arm, half a forearm, plate, (13)
  for i in 1:2 loop
    G[i] = n^2*(Jmot + Jred)*der(q[i], 2) + Fs*sign(der(q[i])) + Fv*der(q[i])
           + I*der(q[i], 2) - m1*g*cos(q[i])
           + 0.5*m2*L*(L*der(q[i], 2) - g*cos(q[i]))
           + 2*L*((x - side[i]*(xp + L*cos(q[i])))*side[i]*sin(q[i])
                  + (z + L*sin(q[i]))*cos(q[i]))*y[i];
  end for;
  // the controller, (14) and (15)
  for i in 1:2 loop
    G[i] = if Kc*(qd[i] - q[i] + E[i]/Ti + Td*(der(qd[i]) - der(q[i]))) > alpha then alpha
           elseif Kc*(qd[i] - q[i] + E[i]/Ti + Td*(der(qd[i]) - der(q[i]))) < -alpha then -alpha
           else Kc*(qd[i] - q[i] + E[i]/Ti + Td*(der(qd[i]) - der(q[i])));
  end for;
  for i in 1:2 loop
    der(E[i]) = qd[i] - q[i];
  end for;
annotation(experiment(StartTime = 0, StopTime = 5, Tolerance = 1e-9),
  __daedal(draw = {line({{-xp, 0}, {xp, 0}}, color = "gray", width = 6),
    line({{xp, 0}, {xp + L*cos(q[1]), -L*sin(q[1])}, {x, z}}, width = 4),
    line({{-xp, 0}, {-xp - L*cos(q[2]), -L*sin(q[2])}, {x, z}}, width = 4),
    circle({x, z}, radius = 0.03),
    trace({x, z})}));
end ParallelRobot;
