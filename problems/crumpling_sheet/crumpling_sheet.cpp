#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "problems/problems.hpp"

namespace daedal::problems {
namespace {

using Vector = std::array<Expression, 3>;
using Node = std::pair<int, int>;  // counted from 0

std::string place(Node node, std::size_t c) {
  return "[" + std::to_string(node.first + 1) + "," + std::to_string(node.second + 1) + "," +
         std::to_string(c + 1) + "]";
}

// Constants, unknowns and forces of a sheet of n by n nodes. The formulas are explained in
// crumpling_sheet.mo.
class Sheet {
 public:
  // Flat and at rest at the start; without fixed positions a dome is the guess.
  Sheet(Model& model, int num_nodes, bool fix_positions, bool fix_velocities)
      : model_(model), n_(num_nodes) {
    for (const Node& node : nodes()) {
      const double x = flat(node.first), y = flat(node.second);
      const double z = fix_positions ? 0.0 : 0.15 - 0.3 * (x * x + y * y);
      x_.push_back(new_unknowns("x", node, fix_positions, {x, y, z}));
    }
    for (const Node& node : nodes())
      v_.push_back(new_unknowns("v", node, fix_velocities, {0.0, 0.0, 0.0}));
    for (const Node& node : nodes())
      for (std::size_t c = 0; c < 3; ++c) model_.equation(der(x(node)[c]) == v(node)[c]);
  }

  std::vector<Node> nodes() const {
    std::vector<Node> all;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) all.emplace_back(i, j);
    return all;
  }
  const Vector& x(Node node) const { return x_[index(node)]; }
  const Vector& v(Node node) const { return v_[index(node)]; }
  Expression mass() const { return M_ / num_nodes(); }

  Vector force(Node node, bool is_damped) const {
    const auto [i, j] = node;
    Vector force = {0.0, 0.0, 0.0};
    for (int p = std::max(0, i - 1); p <= std::min(n_ - 1, i + 1); ++p)
      for (int q = std::max(0, j - 1); q <= std::min(n_ - 1, j + 1); ++q)
        if (p != i || q != j) add_spring(node, {p, q}, is_damped, force);
    add_bending(node, force);
    add_cage(node, force);
    force[2] = force[2] + w_ / num_nodes() * (1 + 0.5 * i / (n_ - 1) + 0.25 * j / (n_ - 1));
    if (is_damped)
      for (std::size_t c = 0; c < 3; ++c) force[c] = force[c] - C_ / num_nodes() * v(node)[c];
    return force;
  }

  // The square of M times the root of the mean square of accelerations.
  Expression inertia_squared() const {
    Expression sum = 0.0;
    for (const Vector& velocity : v_)
      for (const Expression& component : velocity) sum = sum + sqr(der(component));
    return sqr(M_) / num_nodes() * sum;
  }

 private:
  double num_nodes() const { return static_cast<double>(n_) * n_; }
  double flat(int i) const { return static_cast<double>(i) / (n_ - 1) - 0.5; }
  std::size_t index(Node node) const {
    return static_cast<std::size_t>(node.first * n_ + node.second);
  }

  Vector new_unknowns(const std::string& name, Node node, bool is_fixed,
                      const std::array<double, 3>& start) {
    Vector unknowns;
    for (std::size_t c = 0; c < 3; ++c)
      unknowns[c] =
          model_.variable(name + place(node, c), {.start = {start[c]}, .fixed = {is_fixed}});
    return unknowns;
  }

  void add_spring(Node from, Node to, bool is_damped, Vector& force) const {
    const Vector &a = x(from), &b = x(to), &va = v(from), &vb = v(to);
    const bool is_diagonal = from.first != to.first && from.second != to.second;
    const double rest = std::sqrt(is_diagonal ? 2.0 : 1.0) / (n_ - 1);
    Expression squared = 0.0, rate = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      squared = squared + sqr(b[c] - a[c]);
      rate = rate + (b[c] - a[c]) * (vb[c] - va[c]);
    }
    Expression per_length = k_ * (1 - rest / sqrt(squared));
    if (is_damped) per_length = per_length + cs_ * rate / squared;
    for (std::size_t c = 0; c < 3; ++c)
      force[c] = force[c] + (is_diagonal ? 0.5 : 1.0) * (b[c] - a[c]) * per_length;
  }

  // Of threes in line along i and along j in which the node is in the middle or at an end.
  void add_bending(Node node, Vector& force) const {
    const auto [i, j] = node;
    const Expression stiffness = D_ * ((n_ - 1) * (n_ - 1));
    for (std::size_t c = 0; c < 3; ++c) {
      Expression along_i = 0.0, along_j = 0.0;
      for (int s = std::max(1, i - 1); s <= std::min(n_ - 2, i + 1); ++s)
        along_i =
            along_i + (s == i ? 2 : -1) * (x({s - 1, j})[c] - 2 * x({s, j})[c] + x({s + 1, j})[c]);
      for (int s = std::max(1, j - 1); s <= std::min(n_ - 2, j + 1); ++s)
        along_j =
            along_j + (s == j ? 2 : -1) * (x({i, s - 1})[c] - 2 * x({i, s})[c] + x({i, s + 1})[c]);
      force[c] = force[c] + stiffness * (along_i + along_j);
    }
  }

  void add_cage(Node node, Vector& force) const {
    const Vector& at = x(node);
    const Expression R = R0_ - (R0_ - R1_) * sqr(sin(std::numbers::pi * model_.time() / (2 * T_)));
    const Expression q = (sqr(at[0] / A_[0]) + sqr(at[1] / A_[1]) + sqr(at[2] / A_[2])) / sqr(R);
    for (std::size_t c = 0; c < 3; ++c)
      force[c] = force[c] - kc_ / num_nodes() * pow(q, 3) * at[c] / sqr(A_[c]);
  }

  Model& model_;
  int n_;
  Expression k_ = model_.parameter("k", 50.0);
  Expression D_ = model_.parameter("D", 0.01);
  Expression C_ = model_.parameter("C", 5.0);
  Expression cs_ = model_.parameter("cs", 1.0);
  Expression M_ = model_.parameter("M", 1.0);
  Expression kc_ = model_.parameter("kc", 20.0);
  Vector A_ = {model_.parameter("Ax", 1.0), model_.parameter("Ay", 1.1),
               model_.parameter("Az", 0.9)};
  Expression R0_ = model_.parameter("R0", 1.0);
  Expression R1_ = model_.parameter("R1", 0.3);
  Expression T_ = model_.parameter("T", 20.0);
  Expression w_ = model_.parameter("w", 0.02);
  std::vector<Vector> x_, v_;
};

}  // namespace

Model crumpling_sheet(int num_nodes, SheetForm form) {
  Model model("CrumplingSheet", "thin sheet as a network of masses and springs");
  const Sheet sheet(model, num_nodes, form != SheetForm::undamped, form == SheetForm::full);
  for (const Node& node : sheet.nodes()) {
    const Vector force = sheet.force(node, form != SheetForm::undamped);
    for (std::size_t c = 0; c < 3; ++c) {
      const Expression inertia =
          form == SheetForm::full ? sheet.mass() * der(sheet.v(node)[c]) : 0.0;
      model.equation("balance" + place(node, c), inertia == force[c]);
    }
  }
  model.set_experiment({.start_time = 0, .stop_time = 20, .tolerance = 1e-6});
  return model;
}

Model crumpling_sheet_switching(int num_nodes) {
  Model model("CrumplingSheetSwitching", "thin sheet, quasi-static while it can be");
  const Sheet sheet(model, num_nodes, true, true);
  const auto high = model.parameter("high", 0.1);
  const auto low = model.parameter("low", 0.03);
  const auto dwell = model.parameter("dwell", 1.0);
  const auto full = model.discrete("full", 1);
  const auto ready = model.discrete("ready", 0);
  const auto until = model.discrete("until", dwell);
  for (const Node& node : sheet.nodes()) {
    const Vector force = sheet.force(node, true);
    for (std::size_t c = 0; c < 3; ++c)
      model.equation(
          "balance" + place(node, c),
          if_else(Condition(full), sheet.mass() * der(sheet.v(node)[c]), 0.0) == force[c]);
  }
  const Expression inertia_squared = sheet.inertia_squared();
  model.when("settle", model.time() > until, {assign(ready, 1)});
  model.when("calm", Condition(full) && Condition(ready) && inertia_squared < sqr(low),
             {assign(full, 0)});
  model.when("snap", !Condition(full) && inertia_squared > sqr(high),
             {assign(full, 1), assign(ready, 0), assign(until, model.time() + dwell)});
  model.set_experiment({.start_time = 0, .stop_time = 20, .tolerance = 1e-6});
  return model;
}

}  // namespace daedal::problems
