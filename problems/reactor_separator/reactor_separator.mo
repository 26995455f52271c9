// A two-phase reactor with a condenser. In the liquid A + B -> C; A and C are volatile, B is not. The vapour, in equilibrium
// with the liquid, flows to a condenser that is kept at a constant pressure by its vent; what condenses there, A and C
// apart, flows back. The reactor is to follow a given temperature, by the heat that its jacket gets. So the rates of
// evaporation and the vent follow from constraints differentiated once, and the heat from the temperature differentiated
// twice: differentiation index 3.
// Source: ours, from balances of moles and energy. It has the size (18) and the index (3) of the reactor-separator of Kumar
// and Daoutidis that Campbell and Hollenbeck 1996, sec. 7.3, take as an example; those equations are not in print there.
// Units: kmol, h, m3, bar, K, MJ.
model ReactorSeparator "two-phase reactor with condenser on a temperature path"
  parameter Real R = 0.08314 "gas constant";
  parameter Real FA = 1 "feeds";
  parameter Real FB = 0.8;
  parameter Real Tf = 320 "their temperature";
  parameter Real kD = 0.15 "product drawn per holdup";
  parameter Real k0 = 4e5 "rate of reaction";
  parameter Real E = 5000;
  parameter Real aA = 10.7 "vapour pressures";
  parameter Real bA = 3500;
  parameter Real aC = 11.4;
  parameter Real bC = 4000;
  parameter Real Vg = 5 "volumes of vapour";
  parameter Real V2 = 3;
  parameter Real k1 = 3 "pipe between them";
  parameter Real KA = 3 "rates of condensation";
  parameter Real KC = 3;
  parameter Real Tc = 300 "temperature of the condenser";
  parameter Real Pc = 1 "its pressure";
  parameter Real cp = 0.15 "heat capacity";
  parameter Real lam = 35 "heats of evaporation and reaction";
  parameter Real dH = 60;
  parameter Real UA = 2 "jacket";
  parameter Real Cj = 1;
  parameter Real T0 = 365 "temperature path";
  parameter Real dT = 5;
  Real nA(start = 3, fixed = true) "liquid in the reactor";
  Real nB(start = 4, fixed = true);
  Real nC(start = 3, fixed = true);
  Real vA(start = 0.15) "vapour in the reactor";
  Real vC(start = 0.08);
  Real T(start = 365, nominal = 100) "temperatures of reactor and jacket";
  Real Tj(start = 390, nominal = 100);
  Real NA(start = 1) "evaporation";
  Real NC(start = 0.5);
  Real P1(start = 1.4) "pressure";
  Real F1(start = 1.3) "flow to the condenser";
  Real Q(start = 50, nominal = 10) "heat to the jacket";
  Real wA(start = 0.07, fixed = true) "vapour in the condenser";
  Real wC(start = 0.05);
  Real LA(start = 0.7) "condensate";
  Real LC(start = 0.5);
  Real P2(start = 1) "pressure";
  Real F2(start = 0.1) "vent";
equation
  liquid_A: der(nA) = FA - k0*exp(-E/T)*nA*nB/(nA + nB + nC) - NA + LA - kD*nA;
  liquid_B: der(nB) = FB - k0*exp(-E/T)*nA*nB/(nA + nB + nC) - kD*nB;
  liquid_C: der(nC) = k0*exp(-E/T)*nA*nB/(nA + nB + nC) - NC + LC - kD*nC;
  vapour_A: der(vA) = NA - F1*vA/(vA + vC);
  vapour_C: der(vC) = NC - F1*vC/(vA + vC);
  heat: cp*(nA + nB + nC)*der(T) = cp*(FA + FB)*(Tf - T) + cp*(LA + LC)*(Tc - T) + dH*k0*exp(-E/T)*nA*nB/(nA + nB + nC)
        - lam*(NA + NC) + UA*(Tj - T);
  jacket: Cj*der(Tj) = UA*(T - Tj) + Q;
  equilibrium_A: P1*vA/(vA + vC) = exp(aA - bA/T)*nA/(nA + nB + nC);
  equilibrium_C: P1*vC/(vA + vC) = exp(aC - bC/T)*nC/(nA + nB + nC);
  gas: P1*Vg = (vA + vC)*R*T;
  pipe: F1 = k1*(P1 - P2);
  path: T = T0 + dT*(1 - exp(-time));
  condenser_A: der(wA) = F1*vA/(vA + vC) - LA - F2*wA/(wA + wC);
  condenser_C: der(wC) = F1*vC/(vA + vC) - LC - F2*wC/(wA + wC);
  condensate_A: LA = KA*(P2*wA/(wA + wC) - exp(aA - bA/Tc));
  condensate_C: LC = KC*(P2*wC/(wA + wC) - exp(aC - bC/Tc));
  condenser_gas: P2*V2 = (wA + wC)*R*Tc;
  vent: P2 = Pc;
annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-9));
end ReactorSeparator;
