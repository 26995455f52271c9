// A chain of n uniform rods that hangs from a slider on a horizontal rail, straight from its energies;
// a spring pulls the slider to x = 0. y upwards. Rod i joins point i - 1 to point i, point 0 is the
// slider at (x0, 0). Starts at rest, stretched out horizontally. Chaotic for n >= 2.
// problems/rod_chain has the same system with equations written by hand.
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, Example 4.1.
model SpringMassPendulum "Lagrangian of the first kind: n rods hung from a slider on a spring"
  parameter Integer n = 2 "number of rods";
  parameter Real g = 9.8;
  parameter Real l = 2 "length of a rod";
  parameter Real M = 5 "mass of the slider";
  parameter Real m = 2 "mass of a rod";
  parameter Real k = 10 "stiffness of the spring";
  Real x0(start = {4, 0}, fixed = {true, true}) "the slider";
  Real x[n](start = {{4 - l*i, 0} for i in 1:n}) "lower ends of the rods";
  Real y[n](each start = {0, 0}, each fixed = {true, true});
lagrangian
  coordinates x0, x, y;
  // a rod with ends a and b has the kinetic energy m/6 (a'.a' + a'.b' + b'.b')
  function 0.5*M*der(x0)^2 - 0.5*k*x0^2
    + m/6*(der(x0)^2 + der(x0)*der(x[1]) + der(x[1])^2 + der(y[1])^2) - m*g*y[1]/2
    + sum(m/6*(der(x[i - 1])^2 + der(x[i - 1])*der(x[i]) + der(x[i])^2
             + der(y[i - 1])^2 + der(y[i - 1])*der(y[i]) + der(y[i])^2)
          - m*g*(y[i - 1] + y[i])/2 for i in 2:n);
  first_rod: constraint (x[1] - x0)^2 + y[1]^2 = l^2;
  for i in 2:n loop
    rod: constraint (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = l^2;
  end for;
annotation(experiment(StartTime = 0, StopTime = 100, Tolerance = 1e-9),
  __daedal(draw = {line({{-6, 0}, {6, 0}}, color = "gray", width = 1),
    line({{x0, 0}, {x[1], y[1]}}, width = 4),
    line({{x[i], y[i]} for i in 1:n}, width = 4),
    circle({x0, 0}, radius = 0.25),
    trace({x[n], y[n]})}));
end SpringMassPendulum;
