model Nominal
  Real x(nominal = -5);
equation
  der(x) = -x;
end Nominal;
