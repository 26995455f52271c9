// Re-entry of the space shuttle on a prescribed path: the bank angle b must make the drag follow a
// cubic in the speed. Units: feet, slugs, seconds, radians.
// Source: Brenan, Campbell and Petzold (1996), Numerical Solution of Initial-Value Problems in
// Differential-Algebraic Equations, trajectory prescribed path control, index 3. Public copies of
// its data conflict; these constants are the combination in which the printed start is consistent
// (to its digits, except for b: 41.09998943 degrees, not 41.10077).
model Shuttle "space shuttle re-entry with prescribed drag"
  constant Real deg = Modelica.Constants.pi/180;
  parameter Real mu = 0.1407653916e17 "gravitation";
  parameter Real ae = 20902900 "radius of the earth";
  parameter Real Om = 0.72921159e-4 "rate of rotation of the earth";
  parameter Real alpha = 40 "angle of attack in degrees";
  parameter Real S = 2690 "cross section";
  parameter Real m = 5964.496499824 "mass";
  parameter Real rho0 = 0.002378 "density of air at sea level";
  parameter Real h0 = 23800 "height in which it falls by 1/e";
  parameter Real kL = rho0*S/(2*m)*(0.84 - 0.48*(38 - alpha)/26) "lift/m = kL exp(-H/h0) V^2";
  parameter Real kD = rho0*S/(2*m)*(0.78 - 0.58*(38 - alpha)/26) "drag/m = kD exp(-H/h0) V^2";
  parameter Real C0 = 3.974960446019;
  parameter Real C1 = -0.01448947694635;
  parameter Real C2 = -0.2156171551995e-4;
  parameter Real C3 = -0.1089609507291e-7;
  parameter Real V0 = 24317.0798;
  Real H(start = 264039.328, fixed = true, nominal = 1e5) "altitude";
  Real xi(start = 177.718047*deg, fixed = true) "longitude";
  Real lam(start = 32.0417885*deg, fixed = true) "latitude";
  Real V(start = 24317.0798, nominal = 1e4) "speed";
  Real gam(start = -0.749986488*deg) "flight path angle";
  Real A(start = 62.7883367*deg, fixed = true) "azimuth";
  Real b(start = 41.100771834*deg) "bank angle";
equation
  der(H) = V*sin(gam);
  der(xi) = V*cos(gam)*sin(A)/((H + ae)*cos(lam));
  der(lam) = V*cos(gam)*cos(A)/(H + ae);
  der(V) = -kD*exp(-H/h0)*V^2 - mu/(H + ae)^2*sin(gam)
           - Om^2*(H + ae)*cos(lam)*(sin(lam)*cos(A)*cos(gam) - cos(lam)*sin(gam));
  der(gam) = kL*exp(-H/h0)*V*cos(b) + cos(gam)*(V^2/(H + ae) - mu/(H + ae)^2)/V
             + 2*Om*cos(lam)*sin(A)
             + Om^2*(H + ae)*cos(lam)*(sin(lam)*cos(A)*sin(gam) + cos(lam)*cos(gam))/V;
  der(A) = kL*exp(-H/h0)*V*sin(b)/cos(gam) + V*cos(gam)*sin(A)*tan(lam)/(H + ae)
           - 2*Om*(cos(lam)*cos(A)*tan(gam) - sin(lam))
           + Om^2*(H + ae)*cos(lam)*sin(lam)*sin(A)/(V*cos(gam));
  path: 0 = kD*exp(-H/h0)*V^2 - (C0 + C1*(V - V0) + C2*(V - V0)^2 + C3*(V - V0)^3);
annotation(experiment(StartTime = 332.868734542, StopTime = 419.868734542, Tolerance = 1e-9));
end Shuttle;
