// A thin sheet in a cage that shrinks: N by N nodes in space, joined by springs, pressed together by
// a soft ellipsoid of the size R(t), with a small uneven load that decides to which side it gives way.
//   springs    to the up to eight neighbours, those along the diagonals half as stiff
//   bending    (D/(2 a^2)) |x_(s-1) - 2 x_s + x_(s+1)|^2 for each three nodes in line, a linear force
//   cage       energy kc/(8 N^2) R^2 q^4, q = (x/(Ax R))^2 + (y/(Ay R))^2 + (z/(Az R))^2: little inside, steep outside
//   damping    -C/N^2 v of each node, and cs in parallel to each spring, diagonals half; this makes all waves in the
//              plane of the sheet die out at once, which no quasi-static equation could follow
// Forms of the equations:
//   1  quasi-static, F(x, v, time) = 0: damping determines the velocities, index 1
//   2  quasi-static without damping, F(x, time) = 0: every position is an equilibrium, index 2. There are several; the
//      guess is a dome, as the sheet is when it has come to rest. Each goes on until it meets another one and both end,
//      with N = 5 at t = 6.50; there the sheet jumps, and these equations have nothing to say
//   3  full, m der(v) = F
// Source: Andrejevic and Ding (2020), Solving differential-algebraic systems of equations (DAEs), lecture AM 205,
// "Crumpling a thin sheet", has the three forms and the kinds of forces, no formulas; these and the constants are ours.
// With N = 5 the sheet is bent slowly, gives way at t = 15.5 and is at rest again at t = 17.
model CrumplingSheet "thin sheet as a network of masses and springs"
  parameter Integer N = 5 "nodes along a side, 3 at least";
  parameter Integer form = 1 "1: quasi-static with damping, 2: without, 3: full";
  parameter Real k = 50 "stiffness of the springs";
  parameter Real D = 0.01 "stiffness against bending";
  parameter Real C = 5 "damping of the whole sheet by what is around it";
  parameter Real cs = 1 "damping along the springs";
  parameter Real M = 1 "mass of the whole sheet";
  parameter Real kc = 20 "strength of the cage";
  parameter Real Ax = 1 "proportions of its axes";
  parameter Real Ay = 1.1;
  parameter Real Az = 0.9;
  parameter Real R0 = 1 "its size at the start";
  parameter Real R1 = 0.3 "and at the end";
  parameter Real T = 20 "time in which it shrinks";
  parameter Real w = 0.02 "load";
  Real x[N,N,3](start = {(if c == 1 then (i - 1)/(N - 1) - 0.5 elseif c == 2 then (j - 1)/(N - 1) - 0.5
                          elseif form == 2 then 0.15 - 0.3*(((i - 1)/(N - 1) - 0.5)^2 + ((j - 1)/(N - 1) - 0.5)^2) else 0)
                         for c in 1:3, j in 1:N, i in 1:N}, each fixed = form <> 2) "positions: flat, or a guess";
  Real v[N,N,3](each start = 0, each fixed = form == 3) "velocities";
equation
  for i in 1:N, j in 1:N, c in 1:3 loop
    der(x[i,j,c]) = v[i,j,c];
  end for;
  for i in 1:N, j in 1:N, c in 1:3 loop
    balance: (if form == 3 then M/N^2*der(v[i,j,c]) else 0) =
      sum((if p == i and q == j then 0 else
           (if p == i or q == j then 1 else 0.5)*(x[p,q,c] - x[i,j,c])*
           (k*(1 - sqrt((p - i)^2 + (q - j)^2)/(N - 1)/sqrt(sum((x[p,q,d] - x[i,j,d])^2 for d in 1:3)))
            + (if form == 2 then 0 else cs*sum((x[p,q,d] - x[i,j,d])*(v[p,q,d] - v[i,j,d]) for d in 1:3)/sum((x[p,q,d] - x[i,j,d])^2 for d in 1:3)))
           ) for p in max(1, i - 1):min(N, i + 1), q in max(1, j - 1):min(N, j + 1))
      + D*(N - 1)^2*(
          sum((if s == i then 2 else -1)*(x[s - 1,j,c] - 2*x[s,j,c] + x[s + 1,j,c]) for s in max(2, i - 1):min(N - 1, i + 1))
        + sum((if s == j then 2 else -1)*(x[i,s - 1,c] - 2*x[i,s,c] + x[i,s + 1,c]) for s in max(2, j - 1):min(N - 1, j + 1)))
      - kc/N^2*(((x[i,j,1]/Ax)^2 + (x[i,j,2]/Ay)^2 + (x[i,j,3]/Az)^2)/(R0 - (R0 - R1)*sin(Modelica.Constants.pi*time/(2*T))^2)^2)^3*
        x[i,j,c]/(if c == 1 then Ax elseif c == 2 then Ay else Az)^2
      + (if c == 3 then w/N^2*(1 + 0.5*(i - 1)/(N - 1) + 0.25*(j - 1)/(N - 1)) else 0)
      - (if form == 2 then 0 else C/N^2*v[i,j,c]);
  end for;
annotation(experiment(StartTime = 0, StopTime = 20, Tolerance = 1e-6),
  __daedal(draw = {line(x, width = 1),
    line({{x[i,j,:] for i in 1:N} for j in 1:N}, width = 1)}));
end CrumplingSheet;
