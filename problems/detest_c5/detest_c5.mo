// The five outer planets about the Sun, heliocentric; y[j, :] is the position of planet j (Jupiter,
// Saturn, Uranus, Neptune, Pluto). Units: astronomical units, 100 days.
// Source: Enright and Pryce (1987), Two FORTRAN packages for assessing initial value methods,
// DETEST problem C5, after Zonneveld (1970). In several public copies k2 multiplies the first term
// only, or the last term is missing.
model OuterPlanets "DETEST C5: five body problem"
  constant Integer others[5, 4] = {{2, 3, 4, 5}, {1, 3, 4, 5}, {1, 2, 4, 5}, {1, 2, 3, 5},
                                   {1, 2, 3, 4}};
  parameter Real k2 = 2.95912208286 "gravitational constant";
  parameter Real m0 = 1.00000597682 "mass of the Sun and the inner planets";
  parameter Real m[5] = {0.000954786104043, 0.000285583733151, 0.0000437273164546,
                         0.0000517759138449, 0.00000277777777778};
  Real y[5, 3](start = {
    {{3.42947415189, -0.557160570446}, {3.35386959711, 0.505696783289}, {1.35494901715, 0.230578543901}},
    {{6.64145542550, -0.415570776342}, {5.97156957878, 0.365682722812}, {2.18231499728, 0.169143213293}},
    {{11.2630437207, -0.325325669158}, {14.6952576794, 0.189706021964}, {6.27960525067, 0.0877265322780}},
    {{-30.1552268759, -0.0240476254170}, {1.65699966404, -0.287659532608}, {1.43785752721, -0.117219543175}},
    {{-21.1238353380, -0.176860753121}, {28.4465098142, -0.216393453025}, {15.3882659679, -0.0148647893090}}});
equation
  // a[:]*a[:] is the scalar product, so ()^1.5 is a distance cubed
  for j in 1:5, i in 1:3 loop
    der(y[j, i], 2) = k2*(-(m0 + m[j])*y[j, i]/(y[j, :]*y[j, :])^1.5
      + sum(m[k]*((y[k, i] - y[j, i])/((y[k, :] - y[j, :])*(y[k, :] - y[j, :]))^1.5
                  - y[k, i]/(y[k, :]*y[k, :])^1.5) for k in others[j, :]));
  end for;
annotation(experiment(StartTime = 0, StopTime = 20, Tolerance = 1e-9));
end OuterPlanets;
