model Idle
  parameter Real a = 1;
end Idle;
