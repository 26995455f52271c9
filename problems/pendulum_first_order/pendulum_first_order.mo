// The pendulum as Modelica users write it: first order, y upwards.
// Source: Estevez Schwarz and Lamour (2019), InitDAE, section 8.1, listing before Figure 1. The
// guess (0.5, 0.5) is not on the circle; the nearest consistent point is (1, 1)/sqrt(2).
model DAEPendulum "DAE Pendulum"
  parameter Real g = 1;
  parameter Real m = 1;
  parameter Real l = 1;
  Real x(start = 0.5);
  Real y(start = 0.5);
  Real vx(start = 0);
  Real vy(start = 0);
  Real lambda(start = 0);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = 2*lambda*x;
  m*der(vy) = 2*lambda*y - m*g;
  x^2 + y^2 = l^2;
annotation(experiment(StartTime = 0.0, StopTime = 12.0, Tolerance = 1e-006));
end DAEPendulum;
