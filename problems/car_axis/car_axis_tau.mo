// The car axis in first order and in tau = 10 t, from a start that is not consistent: velocities
// ten times too large.
// Source: Estevez Schwarz and Lamour (2019), InitDAE, section 8.2: equations and start as printed;
// the interval is [0, 30] in tau, where [0, 0.3] is printed. Names as in car_axis.mo, xla ... yra
// are the velocities in t.
// The nearest consistent point lies far from the guesses (yl = 2.34 where 0.5 was guessed). From
// there the left spring is pressed to length 0 at tau = 0.458, where its force jumps and (L0/Ll -
// 1) has a pole: the solution ends. With yl and yr fixed the start is that of car_axis.mo.
model CarAxisInTau "car axis from velocities ten times too large"
  parameter Real L = 1 "length of the axle";
  parameter Real L0 = 0.5 "length of a spring at rest";
  parameter Real eps = 0.01;
  parameter Real M = 10;
  parameter Real k = M*eps^2/2;
  parameter Real r = 0.1 "height of the bumps";
  parameter Real g = 1;
  Real xl(start = 0);
  Real yl(start = 0.5);
  Real xr(start = 1);
  Real yr(start = 0.5);
  Real xla(start = -5);
  Real yla(start = 0);
  Real xra(start = -5);
  Real yra(start = 0);
  Real lam1(start = 0);
  Real lam2(start = 0);
equation
  der(xl) = xla/10;
  der(yl) = yla/10;
  der(xr) = xra/10;
  der(yr) = yra/10;
  k*der(xla) = ((L0/sqrt(xl^2 + yl^2) - 1)*xl
                + lam1*sqrt(L^2 - (r*sin(time))^2) + 2*lam2*(xl - xr))/10;
  k*der(yla) = ((L0/sqrt(xl^2 + yl^2) - 1)*yl
                + lam1*r*sin(time) + 2*lam2*(yl - yr) - k*g)/10;
  k*der(xra) = ((L0/sqrt((xr - sqrt(L^2 - (r*sin(time))^2))^2 + (yr - r*sin(time))^2) - 1)
                *(xr - sqrt(L^2 - (r*sin(time))^2)) - 2*lam2*(xl - xr))/10;
  k*der(yra) = ((L0/sqrt((xr - sqrt(L^2 - (r*sin(time))^2))^2 + (yr - r*sin(time))^2) - 1)
                *(yr - r*sin(time)) - 2*lam2*(yl - yr) - k*g)/10;
  left_spring: 0 = sqrt(L^2 - (r*sin(time))^2)*xl + r*sin(time)*yl;
  axle: 0 = (xl - xr)^2 + (yl - yr)^2 - L^2;
annotation(experiment(StartTime = 0, StopTime = 30, Tolerance = 1e-9));
end CarAxisInTau;
