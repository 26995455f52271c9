// Car axis: two wheels on springs, joined by a rigid axle, drive over a road that is flat on the
// left and wavy on the right. (xl, yl) and (xr, yr) are the ends of the axle, (xb, yb) = (sqrt(L^2
// - yb^2), r sin(w t)) is the right wheel.
// Source: Mazzia and Magherini (2008), Test Set for Initial Value Problem Solvers, release 2.4,
// problem Car axis, in its second-order form.
model CarAxis "car axis on a road with bumps"
  parameter Real L = 1 "length of the axle";
  parameter Real L0 = 0.5 "length of a spring at rest";
  parameter Real eps = 0.01;
  parameter Real M = 10;
  parameter Real k = M*eps^2/2;
  parameter Real r = 0.1 "height of the bumps";
  parameter Real w = 10 "their angular frequency";
  parameter Real g = 1;
  Real xl(start = {0, -0.5});
  Real yl(start = {0.5, 0});
  Real xr(start = {1, -0.5});
  Real yr(start = {0.5, 0});
  Real lam1(start = 0);
  Real lam2(start = 0);
equation
  k*der(xl, 2) = (L0/sqrt(xl^2 + yl^2) - 1)*xl
                 + lam1*sqrt(L^2 - (r*sin(w*time))^2) + 2*lam2*(xl - xr);
  k*der(yl, 2) = (L0/sqrt(xl^2 + yl^2) - 1)*yl
                 + lam1*r*sin(w*time) + 2*lam2*(yl - yr) - k*g;
  k*der(xr, 2) = (L0/sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2) - 1)
                 *(xr - sqrt(L^2 - (r*sin(w*time))^2)) - 2*lam2*(xl - xr);
  k*der(yr, 2) = (L0/sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2) - 1)
                 *(yr - r*sin(w*time)) - 2*lam2*(yl - yr) - k*g;
  // the left spring stays at right angles to the line between the wheels
  left_spring: 0 = sqrt(L^2 - (r*sin(w*time))^2)*xl + r*sin(w*time)*yl;
  axle: 0 = (xl - xr)^2 + (yl - yr)^2 - L^2;
annotation(experiment(StartTime = 0, StopTime = 3, Tolerance = 1e-9),
  __daedal(draw = {line({{0, 0}, {xl, yl}}, color = "gray"),
    line({{xl, yl}, {xr, yr}}, width = 5),
    line({{sqrt(L^2 - (r*sin(w*time))^2), r*sin(w*time)}, {xr, yr}}, color = "gray"),
    circle({{0, 0}, {sqrt(L^2 - (r*sin(w*time))^2), r*sin(w*time)}}, radius = 0.05)}));
end CarAxis;
