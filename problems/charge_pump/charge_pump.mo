// Charge pump: two capacitors CS and CD at source and drain of a MOS transistor whose gate gets
// voltage pulses. y1, y3 and y5 are the charges of gate, source and drain, y2 and y4 those of the
// capacitors, y6, y7 and y8 the voltages of gate, source and drain, y9 the current of the source of
// the pulses. The transistor's charges depend on the region it works in.
// Source: Mazzia and Magherini (2008), Test Set for Initial Value Problem Solvers, release 2.4,
// problem "charge pump". Here with time in ns, charges in pC and the current in mA, and with four
// unknowns more: low and high are the lower and the higher one of y7 and y8 (the terminals swap
// their parts), st and dt the voltages of gate against them beyond the threshold VTE, W as in
// the source. Where dt <= 0 it counts as 0, so that W = st: written out, since 0/0 must not occur.
model ChargePump "charge pump; ns, pC, V, mA"
  parameter Real VT0 = 0.20;
  parameter Real gam = 0.035;
  parameter Real phi = 1.01;
  parameter Real COX = 4 "capacities in pF";
  parameter Real CD = 0.4;
  parameter Real CS = 1.6;
  parameter Real Vhigh = 20;
  parameter Real VFB = VT0 - gam*sqrt(phi) - phi;
  discrete Real begin(start = 0) "of the present pulse";
  Real y1, y2(start = 0, fixed = true), y3, y4(start = 0, fixed = true), y5;
  Real y6(start = 0), y7(start = 0), y8(start = 0), y9;
  Real low(start = 0), st(start = -0.2), dt(start = -0.2), W(start = -0.2);
equation
  der(y1) = -y9;
  der(y2) + der(y3) = 0;
  der(y4) + der(y5) = 0;
  y6 = if time < begin + 50 then 0
       elseif time < begin + 60 then (time - begin - 50)*0.1*Vhigh
       elseif time < begin + 110 then Vhigh
       else (begin + 120 - time)*0.1*Vhigh;
  y1 = if y6 <= VFB then COX*(y6 - VFB)
       elseif st <= 0 then COX*gam*(sqrt((gam/2)^2 + y6 - VFB) - gam/2)
       else COX*(2/3*W + gam*sqrt(phi + low));
  y2 = CS*y7;
  y3 = if y6 <= VFB then 0 elseif st <= 0 then 0 else -COX*W/3;
  y4 = CD*y8;
  y5 = if y6 <= VFB then 0 elseif st <= 0 then 0 else -COX*W/3;
  low = min(y7, y8);
  st = y6 - low - VT0 - gam*(sqrt(phi + low) - sqrt(phi));
  dt = st - abs(y7 - y8);
  W = if dt <= 0 then st else st + dt - st*dt/(st + dt);
  period: when time >= begin + 120 then
    begin = pre(begin) + 120;
  end when;
annotation(experiment(StartTime = 0, StopTime = 1200, Tolerance = 1e-9));
end ChargePump;
