// Two tanks: a pump with changing flow fills the first, which empties through a valve. What it
// cannot hold runs over its edge into the second, which empties through a valve as well
// (Torricelli's law). Below the edge nothing runs over (index 1); a full tank stays full and passes
// on what is too much (index 2): h1 <= hmax, over >= 0, one of them with equality. Ours.
model TwoTanks "two tanks with overflow"
  parameter Real A1 = 1 "areas";
  parameter Real A2 = 2;
  parameter Real c1 = 0.45 "valves";
  parameter Real c2 = 0.3;
  parameter Real hmax = 1 "height of the edge";
  parameter Real q = 0.5 "mean flow of the pump";
  parameter Real w = 0.6;
  Real h1(start = 0.5, fixed = true) "levels";
  Real h2(start = 0.25, fixed = true);
  Real over(start = 0) "flow over the edge";
equation
  A1*der(h1) = q*(1 + sin(w*time)) - c1*sqrt(h1) - over;
  A2*der(h2) = over - c2*sqrt(h2);
  edge: 0 = if hmax - h1 > over then over else hmax - h1;
annotation(experiment(StartTime = 0, StopTime = 30, Tolerance = 1e-9));
end TwoTanks;
