#include "integrate/array_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taylor/rules.hpp"

namespace daedal::integrate {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double safety = 0.8;       // of the proposed step
constexpr double newton_aim = 0.01;  // tolerances
constexpr int samples_per_step = 4;  // of the singular values
constexpr double dip = 0.3;          // of its neighbours: worth following
constexpr double lost = 1e-4;        // of the median: rank is lost there

}  // namespace

ArrayRun::ArrayRun(reduce::ArrayStudy& study, reduce::FirstOrderForm& form,
                   const std::vector<double>& parameters, const reduce::ArrayFinding& finding,
                   const ArrayOptions& options)
    : study_(study),
      options_(options),
      nominals_(study.nominals()),
      index_(std::max(finding.index, 1)),
      rank_(finding.condition.rank),
      num_given_(form.num_given()),
      solver_(form, parameters, nominals_, finding.index, options.order),
      start_(finding.point.derivatives) {
  for (int j = 0; j < form.num_unknowns(); ++j) layout_.column.push_back(j);
  layout_.degrees.assign(static_cast<std::size_t>(form.num_unknowns()), options.order);
  layout_.num_rows = options.order + 1;
}

bool ArrayRun::begin(double t, double end) {
  t_ = begin_ = t;
  end_ = end;
  const int n = solver_.num_unknowns();
  const double pace = study_.time_scale(t, start_);
  reduce::ArraySolver::Prediction prediction{
      .t = t, .scale = pace, .z = Vector::Zero(n * solver_.num_coefficients())};
  for (int j = 0; j < n; ++j)
    for (std::size_t m = 0; m < start_[j].size(); ++m)
      prediction.z[static_cast<int>(m) * n + j] = start_[j][m] *
                                                  std::pow(pace, static_cast<double>(m)) /
                                                  taylor::factorial(static_cast<int>(m));
  const auto found = solver_.solve(prediction, newton_aim * options_.tolerance);
  num_factorisations_ += found.num_factorisations;
  num_iterations_ += found.num_iterations;
  was_finite_ = found.is_finite;
  if (!found.is_converged) return false;
  z_ = last_ = found.z;
  scale_ = last_scale_ = pace;
  residual_ = found.residual;
  if (rank_ > 0) indicators_.push_back(indicator_at(t));
  return true;
}

double ArrayRun::weight(int unknown) const {
  return options_.tolerance * (nominals_[unknown] + std::abs(z_[unknown]));
}

// From the last two coefficients of every unknown: |z_m| (h/scale)^m <= tolerance.
double ArrayRun::proposed_step() const {
  const int n = solver_.num_unknowns(), p = solver_.order();
  double longest = options_.max_step;
  for (const int m : {p - 1, p})
    for (int j = 0; j < n; ++j) {
      const double term = std::abs(z_[m * n + j]);
      if (term > 0.0)
        longest = std::min(longest, safety * scale_ * std::pow(weight(j) / term, 1.0 / m));
    }
  return longest;
}

ArrayRun::Moved ArrayRun::moved(const Vector& alpha, const Vector& z, double t,
                                double scale) const {
  const int n = solver_.num_unknowns();
  reduce::Derivatives point(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) point[j] = {z[j], z[n + j] / scale};
  Vector change(n);
  for (int j = 0; j < n; ++j) change[j] = (z[j] - alpha[j]) / nominals_[j];
  const Vector differentiated = study_.differentiated_projector(t, point) * change;
  Moved result;
  for (int j = 0; j < n; ++j) {
    const double unit = weight(j) / nominals_[j];
    result.differentiated = std::max(result.differentiated, std::abs(differentiated[j]) / unit);
    result.others = std::max(result.others, std::abs(change[j] - differentiated[j]) / unit);
  }
  return result;
}

bool ArrayRun::advance() {
  const double direction = end_ >= t_ ? 1.0 : -1.0, left = std::abs(end_ - t_);
  double length = std::min(proposed_step(), left), last_others = 0.0;
  const int n = solver_.num_unknowns(), p = solver_.order();
  while (length > 16 * eps * std::max(std::abs(t_), length)) {
    if (left - length < 0.1 * length) length = left;  // no crumb at the end
    trial_ = length;
    const double h = direction * length;
    const double t_new = length == left ? end_ : t_ + h;
    reduce::ArraySolver::Prediction prediction{
        .t = t_new, .scale = h, .z = reduce::shifted(z_, n, p, h / scale_, h / scale_)};
    const auto found = solver_.solve(prediction, newton_aim * options_.tolerance);
    num_factorisations_ += found.num_factorisations;
    num_iterations_ += found.num_iterations;
    was_finite_ = found.is_finite;
    if (found.is_converged) {
      const Moved moved = this->moved(prediction.z, found.z, t_new, h);
      const bool is_rounding = last_others > 0.0 && moved.others > 0.5 * last_others;
      last_others = moved.others;
      if (moved.differentiated <= 1.0 && (moved.others <= 1.0 || is_rounding)) {
        residual_ = found.residual;
        accept(t_new, h, found.z);
        return true;
      }
    }
    ++num_rejected_;
    length *= 0.5;
  }
  return false;
}

void ArrayRun::accept(double t, double scale, Vector z) {
  begin_ = t_;
  last_ = std::move(z_);
  last_scale_ = scale_;
  t_ = t;
  scale_ = scale;
  z_ = std::move(z);
  if (rank_ > 0) watch_rank();
}

double ArrayRun::derivative(int unknown, int order) const {
  return z_[order * solver_.num_unknowns() + unknown] * taylor::factorial(order) /
         std::pow(scale_, order);
}

// At the end of the last step from the coefficients there, before it from its polynomial.
reduce::Derivatives ArrayRun::derivatives_at(double t) const {
  const int n = solver_.num_unknowns();
  reduce::Derivatives point(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j)
    for (int m = 0; m <= std::min(index_, solver_.order()); ++m)
      point[j].push_back(t == t_ ? derivative(j, m) : accepted().value(layout_, j, t, m));
  return point;
}

ArrayIndicator ArrayRun::indicator_at(double t) const {
  const reduce::Derivatives point = derivatives_at(t);
  const reduce::Matrix P = study_.differentiated_projector(t, point);
  const auto values = reduce::singular_values(
      study_.matrices(t, point, index_, reduce::ArrayStudy::Scaling::none), P);
  const double smallest = rank_ > 0 ? values[rank_ - 1] : 0.0;
  return {t, values[0] / smallest, smallest};
}

double ArrayRun::usual_smallest() const {
  std::vector<double> values;
  for (const ArrayIndicator& indicator : indicators_) values.push_back(indicator.smallest);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// Rule A7: dips of sigma_r between three samples in a row, the last of which may be in the next
// step.
void ArrayRun::watch_rank() {
  for (int k = 1; k <= samples_per_step; ++k) {
    const double t = k == samples_per_step ? t_ : begin_ + (t_ - begin_) * k / samples_per_step;
    indicators_.push_back(indicator_at(t));
    const std::size_t count = indicators_.size();
    if (count < 3) continue;
    const ArrayIndicator &a = indicators_[count - 3], &b = indicators_[count - 2],
                         &c = indicators_[count - 1];
    if (b.smallest <= a.smallest && b.smallest <= c.smallest &&
        b.smallest < dip * std::max(usual_smallest(), std::min(a.smallest, c.smallest)))
      follow_dip(a.t, c.t);
  }
}

// Golden section; the polynomial of the last step is used a little before its beginning, too.
void ArrayRun::follow_dip(double left, double right) {
  constexpr double golden = 0.6180339887498949;
  constexpr int num_sections = 60;
  double x = right - golden * (right - left), y = left + golden * (right - left);
  double at_x = indicator_at(x).smallest, at_y = indicator_at(y).smallest;
  for (int k = 0; k < num_sections && right != left; ++k) {
    if (at_x < at_y) {
      right = y;
      y = x;
      at_y = at_x;
      x = right - golden * (right - left);
      at_x = indicator_at(x).smallest;
    } else {
      left = x;
      x = y;
      at_x = at_y;
      y = left + golden * (right - left);
      at_y = indicator_at(y).smallest;
    }
  }
  const double t = 0.5 * (left + right);
  const ArrayIndicator found = indicator_at(t);
  const double usual = usual_smallest();
  if (found.smallest > lost * usual) return;
  losses_.push_back({t, found.smallest, found.condition, usual, undetermined_at(t)});
}

// Unknowns with a large part in the vector that B nearly maps to zero.
std::vector<int> ArrayRun::undetermined_at(double t) const {
  constexpr double large = 0.3;
  const reduce::Derivatives point = derivatives_at(t);
  const reduce::Matrix P = study_.differentiated_projector(t, point);
  const Vector direction = reduce::weakest_direction(
      study_.matrices(t, point, index_, reduce::ArrayStudy::Scaling::none), P, rank_);
  const int n = solver_.num_unknowns();
  Vector part = Vector::Zero(n);
  for (int k = 0; k < direction.size(); ++k)
    part[k % n] = std::max(part[k % n], std::abs(direction[k]));
  std::vector<int> unknowns;
  for (int j = 0; j < n; ++j)
    if (part[j] > large * part.maxCoeff()) unknowns.push_back(j);
  return unknowns;
}

}  // namespace daedal::integrate
