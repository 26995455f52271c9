// Two-link planar robot arm with a flexible joint: the torques u1, u2 must keep the hand on a
// prescribed path.
// Source: Campbell and Hollenbeck (1996), Automatic Differentiation and Implicit Differential
// Equations, appendix, eq. (21) and (22), with a = 2/(2 - cos^2 x3), b = cos x3/(2 - cos^2 x3), c =
// sin x3/(2 - cos^2 x3), d = b sin x3 written out. The printed (21f) ends with (a + b)(u1 + u2); it
// must be (u1 - u2), or the index is 3 and not 5 as stated.
// Exact: x1 = 1 - e^t, x3 = e^t - t. Singular first where sin x3 = 0, t = 1.5446.
model RobotArm "prescribed path control of a two-link arm"
  parameter Real sign = -1 "of u2 in the last equation of motion; +1 as printed";
  Real x1(start = 0);
  Real x2(start = 1);
  Real x3(start = 1);
  Real x4(start = -1);
  Real x5(start = -2.5);
  Real x6(start = 0);
  Real u1(start = -4);
  Real u2(start = -1);
equation
  der(x1) = x4;
  der(x2) = x5;
  der(x3) = x6;
  der(x4) = (2*sin(x3)*(x4 + x6)^2 + x4^2*cos(x3)*sin(x3) + (2*x3 - x2)*(2 + 2*cos(x3))
             + 2*(u1 - u2))/(2 - cos(x3)^2);
  der(x5) = (-2*sin(x3)*(x4 + x6)^2 - x4^2*cos(x3)*sin(x3) - (2*x3 - x2)*(6 + 2*cos(x3))
             - 2*(u1 - u2))/(2 - cos(x3)^2) + 2*x3 - x2 + u2;
  der(x6) = (-2*sin(x3)*(x4 + x6)^2 - x4^2*cos(x3)*sin(x3) + (2*x3 - x2)*(2 - 9*cos(x3))
             - 2*x4^2*sin(x3) - (x4 + x6)^2*cos(x3)*sin(x3)
             - (2 + cos(x3))*(u1 + sign*u2))/(2 - cos(x3)^2);
  path_x: 0 = cos(x1) + cos(x1 + x3) - (cos(exp(time) - 1) + cos(time - 1));
  path_y: 0 = sin(x1) + sin(x1 + x3) - (sin(1 - exp(time)) + sin(1 - time));
annotation(experiment(StartTime = 0, StopTime = 1.43, Tolerance = 1e-9));
end RobotArm;
