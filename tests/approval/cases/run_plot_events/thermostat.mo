model Thermostat
  Real T(start = 18, fixed = true);
  Boolean on(start = true);
equation
  der(T) = (if on then 5 else 0) - 0.2*(T - 10);
  warm: when T >= 22 then on = false; end when;
  cold: when T <= 20 then on = true; end when;
annotation(experiment(StopTime = 4));
end Thermostat;
