// Half-wave rectifier: a sinusoidal source charges a capacitor with a resistor beside it through an
// ideal diode. It conducts (v = 0: the source prescribes the capacitor's voltage, index 2) or it
// blocks (i = 0: the capacitor discharges, index 1): i >= 0, v <= 0, one of them zero. A textbook
// example; the constants are our choice.
model DiodeRectifier "half-wave rectifier with an ideal diode"
  constant Real pi = Modelica.Constants.pi;
  parameter Real U = 10;
  parameter Real f = 50;
  parameter Real R = 100;
  parameter Real C = 2e-4;
  Real u(start = 0) "voltage of the load";
  Real i(start = 0.6) "current of the diode";
  Real v(start = 0) "voltage of the diode";
equation
  U*sin(2*pi*f*time) = v + u;
  C*der(u) = i - u/R;
  diode: 0 = min(i, -v);
annotation(experiment(StartTime = 0, StopTime = 0.1, Tolerance = 1e-9));
end DiodeRectifier;
