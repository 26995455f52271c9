// The five outer planets about the Sun, from their energies; y[j, :] is the position of planet j
// (Jupiter, Saturn, Uranus, Neptune, Pluto) relative to the Sun. Velocities in the kinetic energy are
// relative to the centre of mass: by Koenig, that takes |sum m_j y_j'|^2/(2 sum of all m) off. Units:
// astronomical units, 100 days. problems/detest_c5 has the equations written by hand.
// Source: Pryce, Nedialkov, Tan and Li (2018), How AD can help solve differential-algebraic
// equations, Example 4.3, eq. (24); numbers of DETEST problem C5, Enright and Pryce (1987).
model LagrangianPlanets "DETEST C5 from kinetic and potential energy"
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
lagrangian
  coordinates y;
  // a[:]*a[:] is the scalar product
  function 0.5*sum(m[j]*(der(y[j, :])*der(y[j, :])) for j in 1:5)
    - 0.5*sum(sum(m[j]*der(y[j, i]) for j in 1:5)^2 for i in 1:3)/(m0 + sum(m[j] for j in 1:5))
    + k2*sum(m0*m[j]/sqrt(y[j, :]*y[j, :]) for j in 1:5)
    + k2*sum(sum(m[j]*m[k]/sqrt((y[j, :] - y[k, :])*(y[j, :] - y[k, :])) for k in j + 1:5) for j in 1:5);
annotation(experiment(StartTime = 0, StopTime = 20, Tolerance = 1e-9),
  __daedal(draw = {circle({0, 0, 0}, radius = 1.2, color = "orange"),
    circle(y, radius = 0.7),
    trace(y)}));
end LagrangianPlanets;
