// Amplifier with two transistors. Only y1 - y2, y3, y4 - y5, y6 and y7 - y8 are charged, so the
// mass matrix has rank 5; the sums of equations 1 + 2, 4 + 5 and 7 + 8 are hidden algebraic
// equations. Index 1.
// Source: Mazzia and Magherini (2008), Test Set for Initial Value Problem Solvers, release 2.4,
// problem Transistor amplifier; originally Rentrop, Roche and Steinebach (1989).
model TransistorAmplifier "two-stage transistor amplifier"
  constant Real pi = Modelica.Constants.pi;
  parameter Real Ub = 6 "operating voltage";
  parameter Real UF = 0.026;
  parameter Real alpha = 0.99;
  parameter Real beta = 1e-6 "a transistor passes beta*(exp(u/UF) - 1)";
  parameter Real R0 = 1000;
  parameter Real R = 9000 "R1 to R9";
  parameter Real C[5] = {1e-6, 2e-6, 3e-6, 4e-6, 5e-6};
  Real y1(start = 0);
  Real y2(start = 3);
  Real y3(start = 3);
  Real y4(start = 6);
  Real y5(start = 3);
  Real y6(start = 3);
  Real y7(start = 6);
  Real y8(start = 0);
equation
  C[1]*(der(y2) - der(y1)) = (y1 - 0.1*sin(200*pi*time))/R0;
  C[1]*(der(y1) - der(y2)) = y2/R + (y2 - Ub)/R + (1 - alpha)*beta*(exp((y2 - y3)/UF) - 1);
  -C[2]*der(y3) = y3/R - beta*(exp((y2 - y3)/UF) - 1);
  C[3]*(der(y5) - der(y4)) = (y4 - Ub)/R + alpha*beta*(exp((y2 - y3)/UF) - 1);
  C[3]*(der(y4) - der(y5)) = y5/R + (y5 - Ub)/R + (1 - alpha)*beta*(exp((y5 - y6)/UF) - 1);
  -C[4]*der(y6) = y6/R - beta*(exp((y5 - y6)/UF) - 1);
  C[5]*(der(y8) - der(y7)) = (y7 - Ub)/R + alpha*beta*(exp((y5 - y6)/UF) - 1);
  C[5]*(der(y7) - der(y8)) = y8/R;
annotation(experiment(StartTime = 0, StopTime = 0.2, Tolerance = 1e-9));
end TransistorAmplifier;
