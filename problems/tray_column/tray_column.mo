// An absorption column of N trays with the dynamics of its vapour. A gas enters at the bottom, tray N, a solvent that does
// not evaporate at the top, tray 1; on each tray vapour and liquid are in equilibrium, so that the rate of absorption follows
// from the equilibrium differentiated: differentiation index 2. The pressure on the first tray and the liquid on the last
// are kept constant, by the flows that leave there: the first and the last tray have 9 unknowns, the others 10.
// Source: ours, from balances of moles and energy. It has the size (10 N - 2, 48 for N = 5) and the index (2) of the
// absorption column of Kumar and Daoutidis that Campbell and Hollenbeck 1996, sec. 7.4, take as an example; those equations
// are not in print there.
// Units: kmol, min, m3, bar, K, MJ.
model TrayColumn "absorption column with vapour dynamics"
  parameter Integer N = 5 "number of trays, 2 at least";
  parameter Real R = 0.08314 "gas constant";
  parameter Real Lin = 2 "solvent: flow, solute, temperature";
  parameter Real xin = 0.001;
  parameter Real Tin = 300;
  parameter Real Vin = 1 "gas: flow, solute, temperature";
  parameter Real yin = 0.1;
  parameter Real Tgas = 310;
  parameter Real Ptop = 1 "pressure on the first tray";
  parameter Real Msump = 5 "liquid on the last tray";
  parameter Real Vt = 5 "volume of a tray";
  parameter Real vl = 0.05 "of a kmol of liquid";
  parameter Real kw = 0.125 "weir";
  parameter Real kv = 5 "resistance to the gas";
  parameter Real H0 = 0.8 "solubility";
  parameter Real B = 2500;
  parameter Real T0 = 300;
  parameter Real cl = 0.08 "heat capacities of liquid and gas";
  parameter Real cv = 0.03;
  parameter Real dH = 25 "heat of absorption";
  Real M[N - 1](each start = 3.8, each fixed = true) "liquid, trays 1 to N - 1";
  Real x[N](start = {0.001 + 0.05*k/N for k in 1:N}, each fixed = true) "solute in it";
  Real G[N](each start = 0.2) "vapour";
  Real y[N](start = {0.001 + 0.05*k/N for k in 1:N}) "solute in it";
  Real T[N](each start = 302, each fixed = true, each nominal = 100) "temperature";
  Real P[N - 1](start = {1 + 0.08*k for k in 1:N - 1}, each fixed = true) "pressure, trays 2 to N";
  Real L[N](each start = 2) "liquid that leaves";
  Real V[N](each start = 1) "vapour that leaves";
  Real A[N](each start = 0.02) "absorption";
  Real K[N](each start = 0.8) "equilibrium";
equation
  liquid_top: der(M[1]) = Lin - L[1] + A[1];
  for i in 2:N - 1 loop
    liquid: der(M[i]) = L[i - 1] - L[i] + A[i];
  end for;
  liquid_bottom: 0 = L[N - 1] - L[N] + A[N];
  solute_top: der(M[1]*x[1]) = Lin*xin - L[1]*x[1] + A[1];
  for i in 2:N - 1 loop
    solute: der(M[i]*x[i]) = L[i - 1]*x[i - 1] - L[i]*x[i] + A[i];
  end for;
  solute_bottom: Msump*der(x[N]) = L[N - 1]*x[N - 1] - L[N]*x[N] + A[N];
  for i in 1:N - 1 loop
    vapour: der(G[i]) = V[i + 1] - V[i] - A[i];
  end for;
  vapour_bottom: der(G[N]) = Vin - V[N] - A[N];
  for i in 1:N - 1 loop
    gas_solute: der(G[i]*y[i]) = V[i + 1]*y[i + 1] - V[i]*y[i] - A[i];
  end for;
  gas_solute_bottom: der(G[N]*y[N]) = Vin*yin - V[N]*y[N] - A[N];
  heat_top: (cl*M[1] + cv*G[1])*der(T[1]) = cl*Lin*(Tin - T[1]) + cv*V[2]*(T[2] - T[1]) + dH*A[1];
  for i in 2:N - 1 loop
    heat: (cl*M[i] + cv*G[i])*der(T[i]) = cl*L[i - 1]*(T[i - 1] - T[i]) + cv*V[i + 1]*(T[i + 1] - T[i]) + dH*A[i];
  end for;
  heat_bottom: (cl*Msump + cv*G[N])*der(T[N]) = cl*L[N - 1]*(T[N - 1] - T[N]) + cv*Vin*(Tgas - T[N]) + dH*A[N];
  equilibrium_top: y[1]*Ptop = K[1]*x[1];
  for i in 2:N loop
    equilibrium: y[i]*P[i - 1] = K[i]*x[i];
  end for;
  gas_top: Ptop*(Vt - vl*M[1]) = G[1]*R*T[1];
  for i in 2:N - 1 loop
    gas: P[i - 1]*(Vt - vl*M[i]) = G[i]*R*T[i];
  end for;
  gas_bottom: P[N - 1]*(Vt - vl*Msump) = G[N]*R*T[N];
  for i in 1:N - 1 loop
    weir: L[i] = kw*M[i]^2;
  end for;
  resistance_top: V[2] = kv*(P[1]^2 - Ptop^2);
  for i in 3:N loop
    resistance: V[i] = kv*(P[i - 1]^2 - P[i - 2]^2);
  end for;
  for i in 1:N loop
    solubility: K[i] = H0*exp(B*(1/T0 - 1/T[i]));
  end for;
annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-9));
end TrayColumn;
