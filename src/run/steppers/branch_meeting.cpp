#include "run/steppers/branch_meeting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "linear/dense_decompositions.hpp"
#include "taylor/interpreter.hpp"
#include "taylor/tape_ranges.hpp"

namespace daedal::run {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using solution::StepLayout;
using solution::StepView;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// Values are known to so many units in the last place.
constexpr double units = 8.0;
// Other unknowns, which were integrated, may be off by so many tolerances, as two methods may be
// apart (edge_watch.cpp).
constexpr double most_tolerances = 1000.0;
// Differences are taken over these parts of an unknown's size: the root of epsilon for first
// derivatives on one side, and more for second ones.
constexpr double small_part = 0x1p-26, larger_part = 1e-4;
// Differences in time are taken over this part of the run, but over no less than this part of the
// step, and no more than the step.
constexpr double part_of_run = 1e-4, least_part_of_step = 1e-3;
constexpr int most_iterations = 12;
// A stationary point is near if it is not farther in time than this many steps, and in the unknowns
// than their sizes.
constexpr double near_in_steps = 2.0, near_in_sizes = 0.5;
// The value at the stationary point is known if the last way there changes it by no more than this
// part.
constexpr double known_part = 0.01;

expr::Range around(double value, double size) {
  const double rounding = units * epsilon * (std::abs(value) + size);
  return {value - rounding, value + rounding};
}

}  // namespace

// The equations of one block, of what its Jacobian is for: x_j^(d_j - c).
class ReducedEquation {
 public:
  ReducedEquation(const plan::Plan& plan, int block, expr::Graph& graph);

  // Only where all equations of the block are differentiated equally often do they determine, as
  // they are written, what the Jacobian is for.
  bool is_possible() const { return is_possible_; }

  struct Place {
    double t;  // where the determinant vanishes on the step
    const StepView& step;
    const StepLayout& layout;
    std::span<const double> parameters, nominals;
    double duration;   // of the run
    double tolerance;  // of the values of other unknowns
  };
  // Whether phi is not zero where it is stationary.
  bool parts(const Place& place);

 private:
  using Slot = taylor::TapeRanges::Slot;
  // The value of an unknown or of a derivative of it.
  struct Item {
    int unknown = 0, order = 0;
    Slot slot = 0;  // its leaf
  };
  // The value of phi and its derivatives up to the second, in units of the differences.
  struct Expansion {
    double value = 0.0;
    Eigen::Vector2d gradient;
    Eigen::Matrix2d hessian;
  };

  void add_leaf(Slot slot);
  bool is_own(int unknown, int order) const {
    return number_[unknown] >= 0 && order == own_[number_[unknown]].order;
  }
  double on_step(const Item& item, double t) const {
    return place_->step.value(place_->layout, item.unknown, t, item.order);
  }
  double size_of(const Item& item) const;
  Vector residuals(const Vector& x, double t);
  Matrix jacobian(const Vector& x, double t, const Vector& at_x);
  bool prepare(const Place& place);
  void take_parameters();
  std::optional<double> phi(double a, double t);
  std::optional<Expansion> expand(double a, double t);
  bool may_be_zero_at(double t);
  double uncertainty(double a, double t);

  std::vector<expr::NodeId> roots_;
  std::vector<Item> own_, others_;
  std::vector<int> number_;  // by unknown: its place in own_; -1 for others
  std::optional<taylor::Tape> tape_;
  std::optional<taylor::Interpreter> values_;
  std::optional<taylor::TapeRanges> ranges_;
  bool is_possible_ = false;

  // The place, and the one equation there. Unknowns are as far from origin_ as x_ says, in sizes_;
  // residuals are in row_sizes_.
  const Place* place_ = nullptr;
  Vector origin_, sizes_, row_sizes_, left_, right_, x_;
  double difference_in_t_ = 0.0;
  const Item* moved_ = nullptr;  // by so much
  double moved_by_ = 0.0;
};

ReducedEquation::ReducedEquation(const plan::Plan& plan, int block, expr::Graph& graph)
    : number_(plan.size(), -1) {
  const structure::Block& own = plan.structure.fine_blocks[block];
  const int c = plan.structure.c[own.equations.front()];
  is_possible_ =
      std::ranges::all_of(own.equations, [&](int i) { return plan.structure.c[i] == c; });
  if (!is_possible_) return;
  for (const int j : own.unknowns) {
    number_[j] = static_cast<int>(own_.size());
    own_.push_back({j, plan.structure.d[j] - c});
  }
  for (const int i : own.equations) roots_.push_back(plan.residuals()[i]);
  tape_.emplace(graph, roots_, 0);
  values_.emplace(*tape_);
  std::vector<Slot> evaluated;
  for (Slot slot = 0; slot < tape_->entries().size(); ++slot) {
    switch (tape_->entries()[slot].instruction) {
      case taylor::Instruction::constant:
      case taylor::Instruction::parameter: break;
      case taylor::Instruction::unknown:
      case taylor::Instruction::derivative: add_leaf(slot); break;
      default: evaluated.push_back(slot);
    }
  }
  ranges_.emplace(*tape_, std::move(evaluated));
}

void ReducedEquation::add_leaf(Slot slot) {
  const taylor::TapeEntry& entry = tape_->entries()[slot];
  const bool is_derivative = entry.instruction == taylor::Instruction::derivative;
  const Item leaf{static_cast<int>(entry.index), is_derivative ? static_cast<int>(entry.number) : 0,
                  slot};
  if (is_own(leaf.unknown, leaf.order))
    own_[number_[leaf.unknown]].slot = slot;
  else
    others_.push_back(leaf);
}

// A derivative of order n is measured by what it makes in the run.
double ReducedEquation::size_of(const Item& item) const {
  return place_->nominals[item.unknown] / std::pow(place_->duration, item.order);
}

Vector ReducedEquation::residuals(const Vector& x, double t) {
  values_->run({.time = t,
                .parameters = place_->parameters,
                .derivative = [&](expr::UnknownId id, int order) {
                  const Item item{static_cast<int>(id.index()), order};
                  if (is_own(item.unknown, order)) {
                    const int k = number_[item.unknown];
                    return origin_[k] + sizes_[k] * x[k];
                  }
                  const bool is_moved = moved_ != nullptr && moved_->unknown == item.unknown &&
                                        moved_->order == order;
                  return on_step(item, t) + (is_moved ? moved_by_ : 0.0);
                }});
  Vector f(x.size());
  for (Eigen::Index i = 0; i < f.size(); ++i)
    f[i] = values_->coefficient(roots_[static_cast<std::size_t>(i)]) / row_sizes_[i];
  return f;
}

Matrix ReducedEquation::jacobian(const Vector& x, double t, const Vector& at_x) {
  Matrix J(x.size(), x.size());
  Vector moved = x;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    moved[k] = x[k] + small_part;
    J.col(k) = (residuals(moved, t) - at_x) / (moved[k] - x[k]);
    moved[k] = x[k];
  }
  return J;
}

void ReducedEquation::take_parameters() {
  for (Slot slot = 0; slot < tape_->entries().size(); ++slot) {
    const taylor::TapeEntry& entry = tape_->entries()[slot];
    double value = entry.number;
    if (entry.instruction == taylor::Instruction::parameter)
      value = place_->parameters[entry.index];
    else if (entry.instruction != taylor::Instruction::constant)
      continue;
    ranges_->set(slot, {value, value});
  }
}

// The vectors that the Jacobian takes to zero, of units in which its rows are of size 1.
bool ReducedEquation::prepare(const Place& place) {
  place_ = &place;
  take_parameters();
  const auto n = static_cast<Eigen::Index>(own_.size());
  origin_.resize(n);
  sizes_.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Item& item = own_[static_cast<std::size_t>(k)];
    origin_[k] = on_step(item, place.t);
    sizes_[k] = std::abs(origin_[k]) + size_of(item);
  }
  const double length = std::abs(place.step.end - place.step.begin);
  difference_in_t_ = std::clamp(part_of_run * place.duration, least_part_of_step * length, length);
  row_sizes_ = Vector::Ones(n);
  x_ = Vector::Zero(n);
  Matrix J = jacobian(x_, place.t, residuals(x_, place.t));
  if (!J.allFinite()) return false;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double size = J.row(i).lpNorm<Eigen::Infinity>();
    if (n > 1 && size > 0.0) row_sizes_[i] = size;
  }
  J = row_sizes_.cwiseInverse().asDiagonal() * J;
  const linear::SingularValues found(J, Eigen::ComputeFullU | Eigen::ComputeFullV);
  left_ = found.U().col(n - 1);
  right_ = found.V().col(n - 1);
  return left_.allFinite() && right_.allFinite();
}

// f(x, t) = phi left, right . x = a, by Newton's method for x and phi.
std::optional<double> ReducedEquation::phi(double a, double t) {
  constexpr double good = 4 * epsilon, small = 1e-9, hardly_smaller = 0.5;
  const Eigen::Index n = x_.size();
  Vector x = x_ + (a - right_.dot(x_)) * right_;
  Matrix bordered = Matrix::Zero(n + 1, n + 1);
  bordered.col(n).head(n) = -left_;
  bordered.row(n).head(n) = right_.transpose();
  Vector defect = Vector::Zero(n + 1);
  double value = 0.0, last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Vector f = residuals(x, t);
    bordered.topLeftCorner(n, n) = jacobian(x, t, f);
    defect.head(n) = f - value * left_;
    const Vector correction = Eigen::PartialPivLU<Matrix>(bordered).solve(defect);
    if (!correction.allFinite()) return std::nullopt;
    x -= correction.head(n);
    value -= correction[n];
    const double size = correction.head(n).lpNorm<Eigen::Infinity>();
    if (size <= good || (size <= small && size > hardly_smaller * last)) {
      x_ = x;
      return value;
    }
    last = size;
  }
  return std::nullopt;
}

std::optional<ReducedEquation::Expansion> ReducedEquation::expand(double a, double t) {
  const auto at = [&](int i, int k) { return phi(a + i * larger_part, t + k * difference_in_t_); };
  std::array<std::optional<double>, 7> phis = {at(0, 0),  at(1, 0), at(-1, 0), at(0, 1),
                                               at(0, -1), at(1, 1), at(-1, -1)};
  if (!std::ranges::all_of(phis, [](const auto& some) { return some.has_value(); }))
    return std::nullopt;
  const double here = *phis[0], right = *phis[1], left = *phis[2], later = *phis[3],
               earlier = *phis[4];
  const double mixed = 0.5 * (*phis[5] + *phis[6] - right - left - later - earlier + 2.0 * here);
  Expansion result{.value = here, .gradient = {}, .hessian = {}};
  result.gradient << 0.5 * (right - left), 0.5 * (later - earlier);
  result.hessian << right - 2.0 * here + left, mixed, mixed, later - 2.0 * here + earlier;
  return result;
}

// With everything in it as far off as it may be by rounding. Written as a product of differences
// that vanish, the equation is far better known than as a sum of its terms.
bool ReducedEquation::may_be_zero_at(double t) {
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    ranges_->set(own_[k].slot, around(origin_[at] + sizes_[at] * x_[at], size_of(own_[k])));
  }
  for (const Item& other : others_)
    ranges_->set(other.slot, around(on_step(other, t), size_of(other)));
  const expr::Range time = around(t, std::abs(place_->step.end - place_->step.begin));
  ranges_->evaluate(time.low, time.high);
  expr::Range sum;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const expr::Range term =
        expr::times(left_[row] / row_sizes_[row], ranges_->of(tape_->slot(roots_[i])));
    sum = {sum.low + term.low, sum.high + term.high};
  }
  return sum.has_zero();
}

// By how much phi may be wrong because of errors in other unknowns. An unknown that takes the place
// of time moves the stationary point, but does not change phi there.
double ReducedEquation::uncertainty(double a, double t) {
  double sum = 0.0;
  for (const Item& other : others_) {
    const double size = std::abs(on_step(other, t)) + size_of(other);
    moved_ = &other;
    moved_by_ = larger_part * size;
    const auto above = phi(a, t);
    moved_by_ = -moved_by_;
    const auto below = phi(a, t);
    moved_ = nullptr;
    if (!above || !below) return std::numeric_limits<double>::infinity();
    sum += std::abs(*above - *below) / (2.0 * larger_part);
  }
  return most_tolerances * place_->tolerance * sum;
}

// Newton's method for the stationary point.
bool ReducedEquation::parts(const Place& place) {
  if (!prepare(place)) return false;
  const double length = std::abs(place.step.end - place.step.begin);
  double a = 0.0, t = place.t;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const auto here = expand(a, t);
    if (!here) return false;
    const Eigen::Vector2d way = -here->hessian.inverse() * here->gradient;
    const double change = 0.5 * here->gradient.dot(way), value = here->value + change;
    if (!way.allFinite()) return false;
    a += way[0] * larger_part;
    t += way[1] * difference_in_t_;
    if (std::abs(a) > near_in_sizes || std::abs(t - place.t) > near_in_steps * length) return false;
    if (!(std::abs(change) <= known_part * std::abs(value))) continue;
    return phi(a, t) && !may_be_zero_at(t) && std::abs(value) > uncertainty(a, t);
  }
  return false;
}

BranchMeeting::BranchMeeting(const plan::Plan& plan, const settings::Settings& settings)
    : plan_(plan), settings_(settings), blocks_(plan.structure.fine_blocks.size()) {}

BranchMeeting::~BranchMeeting() = default;

bool BranchMeeting::parts(int block, double t, const StepView& step, const StepLayout& layout,
                          const taylor::SeriesSolver& series, int lane) {
  std::unique_ptr<ReducedEquation>& equation = blocks_[block];
  if (!equation) {
    if (!graph_) graph_ = plan_.equations.graph->copy();
    equation = std::make_unique<ReducedEquation>(plan_, block, *graph_);
  }
  if (!equation->is_possible()) return false;
  const std::vector<double> nominals = series.nominals(lane);
  return equation->parts({.t = t,
                          .step = step,
                          .layout = layout,
                          .parameters = series.parameters(lane),
                          .nominals = nominals,
                          .duration = std::abs(settings_.to - settings_.from),
                          .tolerance = settings_.tolerance});
}

}  // namespace daedal::run
