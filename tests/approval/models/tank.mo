model Tank "runs empty at t = 10"
  Real h(start = 1, fixed = true);
equation
  0.5*der(h) = -0.1*sqrt(h);
end Tank;
