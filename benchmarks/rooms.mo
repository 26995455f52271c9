// Rooms with thermostats, each with a condition of its own in its equation: one mode with n inputs,
// not 2^n modes. From 1/2 to 1 it takes log((p - 1/2)/(p - 1)), back log 2.
model Rooms
  parameter Integer n = 100 "number of rooms";
  Real x[n](each start = 0.5, each fixed = true);
  discrete Real on[n](each start = 1);
equation
  for i in 1:n loop
    der(x[i]) = (if on[i] > 0.5 then 2 + i/n else 0) - x[i];
    when x[i] > 1 then
      on[i] = 0;
    end when;
    when x[i] < 0.5 then
      on[i] = 1;
    end when;
  end for;
end Rooms;
