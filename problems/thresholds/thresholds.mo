// An oscillator that passes n thresholds on its way up, once in each turn: many conditions, few of
// them near. Ours; the times are asin(i/(n + 1)) + 2 pi k.
model Thresholds "conditions at many heights of one oscillation"
  parameter Integer n = 3 "number of thresholds";
  Real x(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  for i in 1:n loop
    threshold: when x > i/(n + 1) then
    end when;
  end for;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end Thresholds;
