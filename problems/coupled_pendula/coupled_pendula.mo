// A row of P pendula, y upwards. The length of each depends on the multiplier, which is the rod
// force, of the one before it, so that every pendulum adds 2 to the index: 2 P + 1.
// Source: the test in indigo (D. Stocco), maple/tests/Test_21_NPendulum/N3Pendulum.mpl: g = l = 1,
// c = 0.1, P = 3; after the examples of index up to 47 in Nedialkov and Pryce (2008). Start: our
// choice, all horizontal and at rest. With c = 0.1 the lengths of long rows run away; use c = 0.01
// for P > 12.
model CoupledPendula "P pendula with lengths coupled through the multipliers"
  parameter Integer P = 2 "number of pendula";
  parameter Real g = 1;
  parameter Real l = 1 "length of the first";
  parameter Real c = 0.1 "coupling";
  Real x[P](each start = {l, 0});
  Real y[P](each start = {0, 0}, each fixed = {true, true});
  Real lam[P];
equation
  der(x[1], 2) = -2*lam[1]*x[1];
  der(y[1], 2) = -2*lam[1]*y[1] - g;
  x[1]^2 + y[1]^2 = l^2;
  for k in 2:P loop
    der(x[k], 2) = -2*lam[k]*x[k];
    der(y[k], 2) = -2*lam[k]*y[k] - g;
    x[k]^2 + y[k]^2 = (l + c*lam[k - 1])^2;
  end for;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end CoupledPendula;
