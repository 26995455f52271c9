// Two species (y[1], y[4]) react in a solution into which carbon dioxide (y[2]) is blown; y[6] is the
// complex of the two, in equilibrium with them. Five reactions with the velocities r1 to r5.
// Source: Mazzia and Magherini (2008), Test Set for Initial Value Problem Solvers, release 2.4,
// "Chemical Akzo Nobel problem".
model ChemicalAkzo "chemical Akzo Nobel problem"
  parameter Real k1 = 18.7;
  parameter Real k2 = 0.58;
  parameter Real k3 = 0.09;
  parameter Real k4 = 0.42;
  parameter Real K = 34.4;
  parameter Real klA = 3.3 "coefficient of mass transfer";
  parameter Real Ks = 115.83;
  parameter Real p = 0.9 "pressure of carbon dioxide";
  parameter Real H = 737 "Henry's constant";
  Real y[6](start = {0.444, 0.00123, 0, 0.007, 0, 0.36}, fixed = {true, true, true, true, true, false},
            nominal = {0.1, 0.001, 0.1, 0.001, 0.01, 0.01}) "concentrations";
equation
  der(y[1]) = -2*k1*y[1]^4*sqrt(y[2]) + k2*y[3]*y[4] - k2/K*y[1]*y[5] - k3*y[1]*y[4]^2;
  der(y[2]) = -0.5*k1*y[1]^4*sqrt(y[2]) - k3*y[1]*y[4]^2 - 0.5*k4*y[6]^2*sqrt(y[2]) + klA*(p/H - y[2]);
  der(y[3]) = k1*y[1]^4*sqrt(y[2]) - k2*y[3]*y[4] + k2/K*y[1]*y[5];
  der(y[4]) = -k2*y[3]*y[4] + k2/K*y[1]*y[5] - 2*k3*y[1]*y[4]^2;
  der(y[5]) = k2*y[3]*y[4] - k2/K*y[1]*y[5] + k4*y[6]^2*sqrt(y[2]);
  complex: 0 = Ks*y[1]*y[4] - y[6];
annotation(experiment(StartTime = 0, StopTime = 180, Tolerance = 1e-9));
end ChemicalAkzo;
