// The pendulum of this lesson, with the kick in its model: `daedal run kicked_pendulum.mo`.
model KickedPendulum "a pendulum that is kicked after five seconds"
  parameter Real g = 9.81;
  parameter Real L = 10;
  Real x(start = {0.6*L, 0}, fixed = {true, true});
  Real y(start = 0.8*L);
  Real lambda;
equation
  der(x, 2) + x*lambda = 0;
  der(y, 2) + y*lambda = g;
  length: x^2 + y^2 = L^2;
  when time >= 5 then
    reinit(der(x), der(x) + 1);
  end when;
annotation(experiment(StopTime = 10, Tolerance = 1e-12));
end KickedPendulum;
