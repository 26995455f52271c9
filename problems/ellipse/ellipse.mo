// Bead on a smooth elliptic wire under gravity, y upwards. The guess (2, 1) is off the wire: the
// nearest point of the ellipse is the start.
// Source: ours; the nearest point is the textbook case of a consistent start that has to be found.
model Ellipse "bead on an ellipse"
  parameter Real g = 9.81;
  Real x(start = {2, 0});
  Real y(start = {1, 0});
  Real lambda;
equation
  der(x, 2) = -lambda*x;
  der(y, 2) = -4*lambda*y - g;
  wire: x^2 + 4*y^2 = 1;
annotation(experiment(StartTime = 0, StopTime = 5, Tolerance = 1e-9));
end Ellipse;
