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
  double tolerance;
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
      {"causality_2", small, "an ODE in disguise", {10, 10, 10.5, 8, 9, 7}},
      {"causality_3", small, "differentiation only", {12, 12, 11.5, 12, 12, 6}},
      {"linear_1", small, "linear, index 3", {12, 12, 12, 12, 12, 6}},
      {"linear_2", small, "linear, index 6", {12, 12, 8.5, 12, 12, no}},
      {"campbell_example", small, "index 2, time-varying", {12, 10.5, 10, 11.5, 8, 6.5}},
      {"continuation", small, "algebraic, nonlinear", {12, 12, 8, 12, 11.5, 10}},
      {"arc_length", small, "nonlinear in derivatives", {7, 8.5, 8, 9, 8, 6}},
      {"polynomial", small, "index 3, a polynomial", {12, 12, 12, 12, 10, 12}},
      {"pendulum", small, "index 3", {7.5, 10, 8.5, 7.5, 7.5, 5.5}},
      {"pendulum_first_order", small, "index 3, first order", {7, 9, 7.5, 6, 5.5, 4}},
      {"pendulum_spinning", small, "full turns", {6, 7.5, 7.5, 5.5, 6, 3.5}},
      {"double_pendulum", small, "two constraints, chaos", {8, 9.5, 7.5, 9, 7.5, 5}},
      {"double_pendulum_spinning", large, "full turns of both", {7.5, no, 2, 6, 6, 3}},
      {"stiff_pendulum", small, "fast oscillation", {8.5, 9, 9.5, 8.5, 6.5, 5}},
      {"stiff_pendulum_eps_1e_06", large, "very fast", {6.5, 7.5, 8.5, 6.5, 4.5, 4.5}},
      {"chemical_akzo", small, "stiff kinetics", {9.5, 8.5, 6, 9.5, 8.5, 7}},
      {"coupled_pendula", small, "index 5", {7.5, no, no, 7.5, 8, 5.5}},
      {"controlled_pendulum", small, "no degree of freedom", {12, 12, 8, 12, 11, 5}},
      {"car_axis", large, "multibody, index 3", {10, no, 7.5, 9, 8, 4.5}},
      {"shuttle", small, "badly scaled control", {11.5, 12, 9.5, 7.5, 8, 6}},
      {"detest_c5", small, "an ODE of second order", {8, 8.5, 8.5, 9.5, 8, 6}},
      {"rod_chain", large, "multibody, one block", {6.5, no, 5, 6.5, 5.5, 2.5}},
      {"rolling_disc", small, "constraints on velocities", {9.5, no, no, 9.5, 7.5, 5.5}},
      {"four_bar", large, "closed loop", {7, no, 4.5, 5.5, 6, 2.5}},
      {"reactor_separator", small, "process, index 3", {8.5, 9.5, 8, 7, 9, 6.5}},
      {"tray_column", large, "process, index 2, sparse", {9.5, no, 7, 7.5, 8, 7}},
      {"transistor_amplifier", large, "analysis fails", {7, 11, 5, 6.5, 6, 8.5}},
      {"robot_arm", small, "analysis fails, index 5", {12, 12, 9, 12, 11.5, 5}},
      {"crumpling_sheet", large, "150 unknowns, index 1", {9, no, no, 7.5, 8, 7}},
      {"crumpling_sheet_form_2", large, "the same, index 2", {12, no, no, 12, 12, 6.5}},
      {"crumpling_sheet_form_3", large, "the same, an ODE", {7.5, no, no, 9.5, 9, 7}},
      {"bouncing_ball", small, "events, values jump", {12, no, no, 12, 5.5, 12}},
      {"slack_pendulum", small, "the index changes", {7, no, no, 7, 7, 4.5}},
      {"two_tanks", small, "constraint comes and goes", {7.5, no, no, 10, 8.5, 6.5}},
      {"stick_slip", small, "sliding mode", {10.5, no, no, 9.5, 8, 6}},
      {"stick_slip_static", small, "a discrete variable", {9, no, no, 8.5, 7, 5.5}},
      {"dome", small, "two contacts of index 3", {9, no, no, 10, 8.5, no}},
      {"diode_rectifier", small, "complementarity", {12, no, no, 11.5, 10, 10.5}},
      {"charge_pump", large, "60 switches", {6.5, no, no, 5.5, 5, no}},
      {"crumpling_sheet_switching", large, "the same with modes", {9, no, no, 6.5, 8.5, 7}},
  };
  return table;
}

}  // namespace daedal::test
