// A pendulum on a stiff spring in place of the rod; y upwards, first order. lambda is the force of
// the spring per unit length. The limit eps = 0 is the rigid pendulum, of index 3; for any other
// eps the index is 1, and the spring swings with the frequency 1/sqrt(eps).
// Source: Andrejevic and Ding (2020), Solving differential-algebraic systems of equations (DAEs),
// lecture AM 205, "Differentiation index". Start: our choice, horizontal, at rest, not stretched.
model StiffPendulum "pendulum on a stiff spring"
  parameter Real g = 9.80665;
  parameter Real eps = 1e-3 "flexibility of the spring, > 0";
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
  Real u(start = 0, fixed = true);
  Real v(start = 0, fixed = true);
  Real lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - g;
  spring: eps*lambda = 1 - 1/sqrt(x^2 + y^2);
annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-9));
end StiffPendulum;
