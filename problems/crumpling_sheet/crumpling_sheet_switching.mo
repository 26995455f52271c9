// The sheet of crumpling_sheet.mo, which switches by itself between its equations: quasi-static with damping (index 1)
// while accelerations are small, full (an ODE) while they matter.
//   measure    M times the root of the mean square of the nodes' accelerations: the force that would be left out
//   to full    as soon as it is above `high`
//   back       as soon as it is below `low`, but not before `dwell`: where the full equations begin, forces balance, so that
//              accelerations begin with 0 and need the time M/C to grow to what they are
// The sheet starts flat, out of balance: full.
// Source: Andrejevic and Ding (2020), Solving differential-algebraic systems of equations (DAEs), lecture AM 205,
// "Crumpling a thin sheet", where the integrator switches; measure and limits are ours.
model CrumplingSheetSwitching "thin sheet, quasi-static while it can be"
  parameter Integer N = 5 "nodes along a side, 3 at least";
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
  parameter Real high = 0.1 "of the measure: full above";
  parameter Real low = 0.03 "quasi-static below";
  parameter Real dwell = 1 "least time of the full equations";
  Real x[N,N,3](start = {(if c == 1 then (i - 1)/(N - 1) - 0.5 elseif c == 2 then (j - 1)/(N - 1) - 0.5 else 0)
                         for c in 1:3, j in 1:N, i in 1:N}, each fixed = true) "positions";
  Real v[N,N,3](each start = 0, each fixed = true) "velocities";
  Boolean full(start = true);
  Boolean ready(start = false) "the full equations have held for long enough";
  discrete Real until(start = dwell) "when that is so";
equation
  for i in 1:N, j in 1:N, c in 1:3 loop
    der(x[i,j,c]) = v[i,j,c];
  end for;
  for i in 1:N, j in 1:N, c in 1:3 loop
    balance: (if full then M/N^2*der(v[i,j,c]) else 0) =
      sum((if p == i and q == j then 0 else
           (if p == i or q == j then 1 else 0.5)*(x[p,q,c] - x[i,j,c])*
           (k*(1 - sqrt((p - i)^2 + (q - j)^2)/(N - 1)/sqrt(sum((x[p,q,d] - x[i,j,d])^2 for d in 1:3)))
            + cs*sum((x[p,q,d] - x[i,j,d])*(v[p,q,d] - v[i,j,d]) for d in 1:3)/sum((x[p,q,d] - x[i,j,d])^2 for d in 1:3))
           ) for p in max(1, i - 1):min(N, i + 1), q in max(1, j - 1):min(N, j + 1))
      + D*(N - 1)^2*(
          sum((if s == i then 2 else -1)*(x[s - 1,j,c] - 2*x[s,j,c] + x[s + 1,j,c]) for s in max(2, i - 1):min(N - 1, i + 1))
        + sum((if s == j then 2 else -1)*(x[i,s - 1,c] - 2*x[i,s,c] + x[i,s + 1,c]) for s in max(2, j - 1):min(N - 1, j + 1)))
      - kc/N^2*(((x[i,j,1]/Ax)^2 + (x[i,j,2]/Ay)^2 + (x[i,j,3]/Az)^2)/(R0 - (R0 - R1)*sin(Modelica.Constants.pi*time/(2*T))^2)^2)^3*
        x[i,j,c]/(if c == 1 then Ax elseif c == 2 then Ay else Az)^2
      + (if c == 3 then w/N^2*(1 + 0.5*(i - 1)/(N - 1) + 0.25*(j - 1)/(N - 1)) else 0)
      - C/N^2*v[i,j,c];
  end for;
  settle: when time > until then
    ready = true;
  end when;
  calm: when full and ready and M^2/N^2*sum(der(v[i,j,c])^2 for i in 1:N, j in 1:N, c in 1:3) < low^2 then
    full = false;
  end when;
  snap: when not full and M^2/N^2*sum(der(v[i,j,c])^2 for i in 1:N, j in 1:N, c in 1:3) > high^2 then
    full = true;
    ready = false;
    until = time + dwell;
  end when;
annotation(experiment(StartTime = 0, StopTime = 20, Tolerance = 1e-6));
end CrumplingSheetSwitching;
