#include "integrate/method_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::integrate {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

MethodRun::MethodRun(std::unique_ptr<StepMethod> method, double tolerance)
    : method_(std::move(method)), events_(tolerance, true) {
  int next = 0;
  for (std::size_t j = 0; j < method_->orders().size(); ++j) {
    const int r = method_->interpolated(static_cast<int>(j));
    const int known = std::min(method_->orders()[j] - r, most_derivatives) + 1;  // from x^(r) on
    const int degree = r + (method_->degree() > 0 ? method_->degree() : 2 * known - 1);
    layout_.column.push_back(static_cast<int>(j));
    layout_.degrees.push_back(degree);
    layout_.num_rows = std::max(layout_.num_rows, degree + 1);
    num_known_.push_back(known);
    first_.push_back(next);
    next += r + known;
  }
  at_begin_.resize(next);
  at_end_.resize(next);
  part_.resize(layout_.size());
  a_.resize(most_derivatives + 1);
  b_.resize(most_derivatives + 1);
  p_.resize(2 * most_derivatives + 2);
}

void MethodRun::keep_end(std::vector<double>& derivatives) const {
  for (int j = 0; j < layout_.num_unknowns(); ++j)
    for (int l = 0; l < method_->interpolated(j) + num_known_[j]; ++l)
      derivatives[first_[j] + l] = method_->derivative(j, l);
}

bool MethodRun::begin(double t, double end, const std::vector<std::vector<double>>& derivatives) {
  t_ = begin_ = t;
  end_ = limit_ = end;
  duration_ = std::abs(end - t);
  progress_.begin(t, duration_);
  events_.clear_arrivals();
  if (!method_->begin(t, end, derivatives)) return false;
  keep_end(at_end_);
  return true;
}

bool MethodRun::go_back(double length, const std::vector<std::vector<double>>& derivatives) {
  events_.return_to_kept();
  progress_ = progress_before_;
  return begin_method(begin_, length, derivatives);
}

bool MethodRun::go_on(double length, const std::vector<std::vector<double>>& derivatives) {
  return begin_method(t_, length, derivatives);
}

bool MethodRun::begin_method(double t, double length,
                             const std::vector<std::vector<double>>& derivatives) {
  t_ = begin_ = t;
  limit_ = length < std::abs(end_ - t) ? t + std::copysign(length, end_ - t) : end_;
  if (!method_->begin(t, limit_, derivatives)) return false;
  keep_end(at_end_);
  return true;
}

// The polynomial of the method, or Hermite's, for x^(r), in the form h^r x^(r)/r!; and integrated r
// times from the begin.
void MethodRun::interpolate(double from) {
  const double h = method_->t() - from;
  const auto n = static_cast<std::size_t>(layout_.num_unknowns());
  for (std::size_t j = 0; j < n; ++j) {
    const int unknown = static_cast<int>(j), r = method_->interpolated(unknown);
    double factor = 1.0;
    for (int l = 0; l < r; ++l) {
      part_[static_cast<std::size_t>(l) * n + j] = factor * at_begin_[first_[j] + l];
      factor *= h / (l + 1);
    }
    if (method_->degree() == 0) {
      interpolate_ends(unknown, factor, h);
    } else {
      const auto own = std::span(p_).first(method_->degree() + 1);
      method_->interpolate(unknown, own);
      for (double& coefficient : own) coefficient *= factor;
    }
    for (int k = 0; k + r <= layout_.degrees[j]; ++k) {
      double coefficient = p_[k];
      for (int m = 1; m <= r; ++m) coefficient *= static_cast<double>(m) / (k + m);
      part_[static_cast<std::size_t>(k + r) * n + j] = coefficient;
    }
  }
  begin_ = from;
  scale_ = h;
}

void MethodRun::interpolate_ends(int unknown, double factor, double h) {
  const auto size = static_cast<std::size_t>(num_known_[unknown]);
  const int first = first_[unknown] + method_->interpolated(unknown);
  for (std::size_t l = 0; l < size; ++l) {
    a_[l] = factor * at_begin_[first + l];
    b_[l] = factor * at_end_[first + l];
    factor *= h / static_cast<double>(l + 1);
  }
  hermite_.interpolate(std::span(a_).first(size), std::span(b_).first(size),
                       std::span(p_).first(2 * size));
}

// The polynomials from t on.
void MethodRun::shift_to(double t) {
  const double s = (t - begin_) / scale_;
  const auto n = static_cast<std::size_t>(layout_.num_unknowns());
  for (std::size_t j = 0; j < n; ++j)
    for (int first = 0; first < layout_.degrees[j]; ++first)
      for (int k = layout_.degrees[j] - 1; k >= first; --k)
        part_[static_cast<std::size_t>(k) * n + j] +=
            s * part_[static_cast<std::size_t>(k + 1) * n + j];
  begin_ = t;
}

// Values that no model has: relative tolerances lead ever nearer to a pole.
bool MethodRun::is_lost() const {
  constexpr double far_too_large = 1e60;
  for (int j = 0; j < layout_.num_unknowns(); ++j)
    if (!(std::abs(method_->derivative(j, 0)) < far_too_large)) return true;
  return false;
}

// A step to values that are none is no step; nor is one of no length.
bool MethodRun::is_finite() const {
  for (int j = 0; j < layout_.num_unknowns(); ++j)
    for (int l = 0; l <= method_->orders()[j]; ++l)
      if (!std::isfinite(method_->derivative(j, l))) return false;
  return true;
}

bool MethodRun::advance() {
  events_.keep_state();
  progress_before_ = progress_;
  if (t_ == method_->t()) {
    std::swap(at_begin_, at_end_);
    const bool is_possible = !progress_.is_hopeless() && !is_lost() && method_->advance();
    if (!is_possible || !is_finite() || method_->t() == t_) {
      std::swap(at_begin_, at_end_);
      return false;
    }
    keep_end(at_end_);
    interpolate(t_);
    progress_.add(method_->t());
  } else {
    shift_to(t_);
  }
  const double shortest = 64 * epsilon * std::max(std::abs(t_), std::abs(scale_));
  t_ = events_.up_to_first(accepted(), layout_, method_->t(), shortest);
  events_.leave_zero(accepted(), layout_);
  method_->note_use(std::abs(t_ - begin_));
  return true;
}

double MethodRun::derivative(int unknown, int order) const {
  return t_ == method_->t() && order <= method_->orders()[unknown]
             ? method_->derivative(unknown, order)
             : accepted().value(layout_, unknown, t_, order);
}

std::vector<std::vector<double>> MethodRun::derivatives() const {
  std::vector<std::vector<double>> all(layout_.num_unknowns());
  for (int j = 0; j < layout_.num_unknowns(); ++j)
    for (int l = 0; l <= method_->orders()[j]; ++l) all[j].push_back(derivative(j, l));
  return all;
}

}  // namespace daedal::integrate
