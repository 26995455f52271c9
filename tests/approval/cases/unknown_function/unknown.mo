model Unknown
  Real x;
equation
  der(x) = sinn(x);
end Unknown;
