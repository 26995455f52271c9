model Full
  import Modelica.Constants.pi;
  flow Real i;
  Real x;
algorithm
  x := sin(time);
equation
  connect(a, b);
end Full;
