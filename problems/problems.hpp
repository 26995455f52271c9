// The published problems as C++ models. Each has a folder of its own with the same model in the
// model language and a JSON file with its source, published facts and reference values; README.md
// lists them all.
//
// Constants that a source gives are parameters of the model (set_parameter changes them); sizes are
// arguments.
#pragma once

#include "daedal/model.hpp"

namespace daedal::problems {

// Simple pendulum in cartesian coordinates, y downwards: 3 equations of second order, index 3.
Model pendulum();
// On a rod of length 1, with speed enough to go round.
Model pendulum_spinning();

// The same system as Modelica users write it, five equations of first order, y upwards. Its guesses
// are not consistent.
Model pendulum_first_order();

// x1 = u, x1 = der(x2) with u = sin(time): x1 causes x2, one degree of freedom.
Model causality_2();
// x2 = u, x1 = der(x2): x2 causes x1, no freedom.
Model causality_3();
// x1 - x2 = u, x1 = der(x2): x2 must be integrated before x1 is known.
Model causality_4();

// Two unit masses on unit rods, one hung off the other: 10 equations of first order, index 3,
// chaotic.
Model double_pendulum();
// The same in second order, with so much energy that both rods go round, against each other.
Model double_pendulum_spinning();

// A pendulum on a spring of stiffness 1/eps in place of the rod: index 1, and the rigid pendulum in
// the limit.
Model stiff_pendulum();

// Six concentrations, one of them in equilibrium: stiff kinetics of index 1.
Model chemical_akzo();

// A row of pendula in which the length of each is l + c times the multiplier of the one before:
// index 2 num_pendula + 1. num_pendula >= 1.
Model coupled_pendula(int num_pendula = 2, double coupling = 0.1);

// Pendulum with a horizontal force u that makes x follow a sin(w t): no degree of freedom.
Model controlled_pendulum();

// Axle on a road with a bump under the right wheel: 4 positions of second order and 2 multipliers,
// index 3.
Model car_axis();
// The same in first order and in tau = 10 t, guessed with velocities ten times too large: the
// solution from the nearest consistent point ends at tau = 0.458.
Model car_axis_tau();

// Re-entry of the space shuttle along a prescribed drag profile: 6 states and the bank angle, index
// 3, nonlinear in the bank angle.
Model shuttle();

// Jupiter to Pluto about the Sun: an ODE of 15 equations of second order. y[j,i] is coordinate i of
// planet j.
Model detest_c5();

// Five small linear systems with known solutions; structural analysis fails on the third and the
// fifth, and gives the fourth a larger index than it has.
Model linear_1();
Model linear_2();
Model linear_3();
Model linear_4();
Model linear_5();

// A chain of n differentiators driven from its end, the second system for any length: index n. n
// >= 1.
Model linear_chain(int n = 6);

// Two-stage transistor amplifier: 8 voltages, index 1, but a singular mass matrix that structural
// analysis cannot see.
Model transistor_amplifier();

// Two-armed parallel robot under PID control, in its first mode: no torque limit reached, both arms
// turning forwards.
Model parallel_robot();

// Two-link robot arm with a flexible joint on a prescribed path, index 5. The parameter `sign` is
// that of u2 in the last equation of motion: -1 is right (structural analysis fails on it), +1 is
// the printed one.
Model robot_arm();

// A linear system of index 2 whose solution contains the derivative of its coefficient alpha = 2 +
// sin t.
Model campbell_example();

// Arc-length continuation of the curve y = x^3 - 3 x round its two folds: nonlinear in der(x) and
// der(y).
Model arc_length();

// Bead on the ellipse x^2 + 4 y^2 = 1 under gravity, index 3. Its guess (2, 1) is off the wire.
Model ellipse();

// The three roots of a cubic whose coefficients change with time: algebraic, nonlinear, with known
// solution.
Model continuation();

// B(t) x = q(t) with a rotation matrix B, from t = pi: x = (sin 2t, cos 2t).
Model rotation();

// A system of index 3 whose solution is a polynomial of this degree, which is >= 1.
Model polynomial(int degree = 4);

// x' = x^2, x(0) = 1: pole at t = 1.
Model blow_up();

// The root of an oscillation that becomes negative at t = pi.
Model left_domain();

// Pendula side by side, 3 equations each, index 3, joined by springs (a block for each pendulum) or
// by inerters (one sparse block). num_pendula >= 1.
Model pendulum_row_springs(int num_pendula = 4);
Model pendulum_row_inerters(int num_pendula = 4);

// M x' = -M A x with a full matrix M: one dense block. size >= 1.
Model dense_linear(int size = 4);

// Uniform rods hung from a slider on a spring: 3 equations for each rod and one for the slider,
// index 3, one block; chaotic from two rods on. num_rods >= 1.
Model rod_chain(int num_rods = 2);

// The same chain from its Lagrangian, and for one rod in the slider's place and an angle.
Model spring_mass_pendulum(int num_rods = 2);
Model spring_mass_pendulum_angle();

// The planets of detest_c5 from their Lagrangian.
Model outer_planets();

// The pendulum of controlled_pendulum from its Lagrangian, with an unknown force.
Model driven_pendulum();

// An upright disc on an inclined plane, from its Lagrangian: two constraints on velocities,
// index 2.
Model rolling_disc();

// A closed four-bar linkage, from its Lagrangian: 4 coordinates, 3 constraints, index 3.
Model four_bar();

// A pendulum in space, from its Lagrangian.
Model spherical_pendulum();

// A two-phase reactor with a condenser on a temperature path: 18 unknowns, index 3.
Model reactor_separator();

// An absorption column of trays with vapour dynamics: 10 num_trays - 2 unknowns, index 2. num_trays
// >= 2.
Model tray_column(int num_trays = 5);

// A thin sheet of num_nodes by num_nodes masses in a cage that shrinks, 6 num_nodes^2 unknowns.
// num_nodes >= 3.
enum class SheetForm {
  damped = 1,    // quasi-static, damping determines the velocities: index 1
  undamped = 2,  // quasi-static, a row of equilibria: index 2
  full = 3,      // an ODE
};
Model crumpling_sheet(int num_nodes = 5, SheetForm form = SheetForm::damped);

// ---------------------------------------------------------------------------------------------------------------------
// With modes and events

// An oscillator that passes so many thresholds in each turn.
Model thresholds(int num_thresholds = 3);

// A ball that bounces infinitely often in a finite time.
Model bouncing_ball();

// A mass on a string: index 3 if it is taut, else 1.
Model slack_pendulum();

// A mass that slides off a dome, falls, and slides on along the floor: two contacts.
Model dome();

// A driven block on a belt with dry friction: it slips one way or the other, or rests on the belt,
// which no branch of its equation says.
Model stick_slip();
// The same with a larger friction at rest, and a discrete variable that tells whether it is.
Model stick_slip_static();

// Half-wave rectifier with an ideal diode: index 2 while it conducts, else 1.
Model diode_rectifier();

// Two tanks, the first with an edge to run over: index 2 while it does, else 1.
Model two_tanks();

// Two capacitors on a transistor under voltage pulses: index 2, 60 switches in ten pulses.
Model charge_pump();

// The sheet of crumpling_sheet, quasi-static while accelerations are small, full while they matter.
Model crumpling_sheet_switching(int num_nodes = 5);

}  // namespace daedal::problems
