model Empty
  Real x, y[0];
lagrangian
  coordinates x;
  function y;
  dissipation y;
end Empty;
