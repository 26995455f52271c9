// A chain of n uniform rods that hangs from a slider on a horizontal rail; a spring pulls the slider
// to x = 0. y upwards. Rod i joins point i - 1 to point i, point 0 is the slider at (x0, 0). With
// r_i = (x[i], y[i]) the energies are
//   T = M/2 x0'^2 + m/6 sum_i (|r_{i-1}'|^2 + r_{i-1}'.r_i' + |r_i'|^2)
//   V = k/2 x0^2 + m g sum_i (y_{i-1} + y_i)/2
// so that a rod acts on its end a, with b the other end, by m/6 (2 a'' + b''), half its weight and the
// force 2 lam (a - b). Starts at rest, stretched out horizontally. Chaotic for n >= 2.
// Source: a chain on which times of DAETS to t = 100, up to n = 20, were published (2017), with these
// constants. Equations: ours, from T and V by hand.
model RodChain "chain of n rods hung from a slider on a spring"
  parameter Integer n = 2 "number of rods";
  parameter Real g = 9.8;
  parameter Real l = 2 "length of a rod";
  parameter Real M = 5 "mass of the slider";
  parameter Real m = 2 "mass of a rod";
  parameter Real k = 10 "stiffness of the spring";
  Real x0(start = {4, 0}, fixed = {true, true}) "the slider";
  Real x[n](start = {{4 - l*i, 0} for i in 1:n}) "lower ends of the rods";
  Real y[n](each start = {0, 0}, each fixed = {true, true});
  Real lam[n] "2 l lam is the force in a rod";
equation
  slider: M*der(x0, 2) + m/6*(2*der(x0, 2) + der(x[1], 2)) + k*x0 - 2*lam[1]*(x[1] - x0) = 0;
  // point 1: the rod above it ends at the slider; j is the rod below, if there is one
  m/6*(2*der(x[1], 2) + der(x0, 2)) + 2*lam[1]*(x[1] - x0)
    + sum(m/6*(2*der(x[1], 2) + der(x[j], 2)) - 2*lam[j]*(x[j] - x[1]) for j in 2:min(2, n)) = 0;
  m/6*(2*der(y[1], 2)) + m*g/2 + 2*lam[1]*y[1]
    + sum(m/6*(2*der(y[1], 2) + der(y[j], 2)) + m*g/2 - 2*lam[j]*(y[j] - y[1]) for j in 2:min(2, n)) = 0;
  first_rod: (x[1] - x0)^2 + y[1]^2 = l^2;
  for i in 2:n loop
    m/6*(2*der(x[i], 2) + der(x[i - 1], 2)) + 2*lam[i]*(x[i] - x[i - 1])
      + sum(m/6*(2*der(x[i], 2) + der(x[j], 2)) - 2*lam[j]*(x[j] - x[i]) for j in i + 1:min(i + 1, n)) = 0;
    m/6*(2*der(y[i], 2) + der(y[i - 1], 2)) + m*g/2 + 2*lam[i]*(y[i] - y[i - 1])
      + sum(m/6*(2*der(y[i], 2) + der(y[j], 2)) + m*g/2 - 2*lam[j]*(y[j] - y[i]) for j in i + 1:min(i + 1, n)) = 0;
    rod: (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = l^2;
  end for;
annotation(experiment(StartTime = 0, StopTime = 100, Tolerance = 1e-9));
end RodChain;
