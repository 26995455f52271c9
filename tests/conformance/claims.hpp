// What every method claims: at its tolerance, so many digits on these problems. One table, read by
// the tests, which fail where a claim does not hold, and by the program that prints it with the
// digits achieved.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace daedal::test {

// A method of SolveOptions::method, at the tolerance of its claims.
struct Method {
  const char* name;
  double tol;
};

inline constexpr std::size_t num_methods = 6;

inline constexpr std::array<Method, num_methods> methods = {{
    {"taylor", 1e-8},
    {"array", 1e-8},
    {"completion", 1e-8},
    {"dd-erk", 1e-8},
    {"dd-ida", 1e-8},
    {"bdf", 1e-6},
}};

// Digits that are claimed: product definition, the minimum over the variables of
// -log10(|error|/max(|reference|, nominal)), and for models with modes over the instants of events
// of -log10(|error|/duration) as well.
using Claim = double;
inline constexpr Claim no = -1;   // the method does not take such models, or needs many seconds
inline constexpr Claim open = 0;  // is run and told where the method exists, but promises nothing

enum class Size { small, large };  // small ones are run with sanitizers, too

struct Row {
  const char* problem;  // name of a variant of problems/, run to its first reference
  Size size;
  const char* tests;                      // what it is there for
  std::array<Claim, num_methods> claims;  // in the order of `methods`
};

// Claims are the digits measured, less half a digit, rounded down, 12 at most: another compiler's
// rounding does not break them, a loss of a digit does. `conformance_table --claims --methods
// taylor,bdf` prints these rows with such claims for the methods named.
inline const std::vector<Row>& rows() {
  using enum Size;
  static const std::vector<Row> table = {
      {"causality_2", small, "an ODE in disguise", {10, 10, 12, open, open, open}},
      {"causality_3", small, "differentiation only", {12, 12, 11.5, open, open, open}},
      {"linear_1", small, "linear, index 3", {12, 12, 12, open, open, open}},
      {"linear_2", small, "linear, index 6", {12, 12, 8.5, open, open, open}},
      {"campbell_example", small, "index 2, time-varying", {12, 10.5, 10, open, open, open}},
      {"continuation", small, "algebraic, nonlinear", {12, 12, 8, open, open, open}},
      {"arc_length", small, "nonlinear in derivatives", {7, 8.5, no, open, open, open}},
      {"polynomial", small, "index 3, a polynomial", {12, 12, 12, open, open, open}},
      {"pendulum", small, "index 3", {7.5, 10, 8.5, open, open, open}},
      {"pendulum_first_order", small, "index 3, first order", {7, 9, 7.5, open, open, open}},
      {"pendulum_spinning", small, "full turns", {6, 7.5, 7.5, open, open, open}},
      {"double_pendulum", small, "two constraints, chaos", {8, 9.5, 7.5, open, open, open}},
      {"double_pendulum_spinning", large, "full turns of both", {7.5, no, 2, open, open, open}},
      {"stiff_pendulum", small, "fast oscillation", {8.5, 9, 9.5, open, open, open}},
      {"stiff_pendulum_eps_1e_06", large, "very fast", {6.5, 7.5, 8.5, open, open, open}},
      {"chemical_akzo", small, "stiff kinetics", {9.5, 8.5, 6, open, open, open}},
      {"coupled_pendula", small, "index 5", {7.5, no, no, open, open, open}},
      {"controlled_pendulum", small, "no degree of freedom", {12, 12, 8, open, open, open}},
      {"car_axis", large, "multibody, index 3", {10, no, 7.5, open, open, open}},
      {"shuttle", small, "badly scaled control", {11.5, 12, 9.5, open, open, open}},
      {"detest_c5", small, "an ODE of second order", {8, 8.5, 8.5, open, open, open}},
      {"rod_chain", large, "multibody, one block", {6.5, no, 5, open, open, open}},
      {"rolling_disc", small, "constraints on velocities", {9.5, no, no, open, open, open}},
      {"four_bar", large, "closed loop", {7, no, 4.5, open, open, open}},
      {"reactor_separator", small, "process, index 3", {8.5, 9.5, 8, open, open, open}},
      {"tray_column", large, "process, index 2, sparse", {9.5, no, 7, open, open, open}},
      {"transistor_amplifier", large, "analysis fails", {7, 11, 5, open, open, open}},
      {"robot_arm", small, "analysis fails, index 5", {12, 12, 9.5, open, open, open}},
      {"crumpling_sheet", large, "150 unknowns, index 1", {9, no, no, open, open, open}},
      {"crumpling_sheet_form_2", large, "the same, index 2", {12, no, no, open, open, open}},
      {"crumpling_sheet_form_3", large, "the same, an ODE", {7.5, no, no, open, open, open}},
      {"bouncing_ball", small, "events, values jump", {12, no, no, open, open, open}},
      {"slack_pendulum", small, "the index changes", {7, no, no, open, open, open}},
      {"two_tanks", small, "constraint comes and goes", {7.5, no, no, open, open, open}},
      {"stick_slip", small, "sliding mode", {10.5, no, no, open, open, open}},
      {"stick_slip_static", small, "a discrete variable", {9, no, no, open, open, open}},
      {"dome", small, "two contacts of index 3", {9, no, no, open, open, open}},
      {"diode_rectifier", small, "complementarity", {12, no, no, open, open, open}},
      {"charge_pump", large, "60 switches", {6.5, no, no, open, open, open}},
      {"crumpling_sheet_switching", large, "the same with modes", {9, no, no, open, open, open}},
  };
  return table;
}

}  // namespace daedal::test
