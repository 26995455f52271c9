#include "run/steppers/completion_method.hpp"

#include <algorithm>

#include "start/consistent_start.hpp"
#include "taylor/rules.hpp"

namespace daedal::run {
namespace {

// Derivatives beside x' that the array determines. Polynomials of slopes are of degree
// 2 (num_extra + 1) - 1 = 7 then, those of x of degree 8, the order of the steps.
constexpr int num_extra = 3;
constexpr int most_trials = 20;
constexpr double growth = 1.5;  // of the longest step that may be tried, after an accepted one

}  // namespace

CompletionMethod::CompletionMethod(plan::Plan& plan, const settings::Settings& settings)
    : plan_(plan), settings_(settings) {
  const reduce::FirstOrderForm form =
      reduce::first_order_form(*plan.equations.graph, plan.residuals(), {});
  slopes_ = form.highest;
  for (const int highest : form.highest)
    orders_.push_back(std::max(highest - 1, 0) + 1 + num_extra);
}

bool CompletionMethod::begin(double t, double end,
                             const std::vector<std::vector<double>>& derivatives) {
  factorisations_before_ = counters_.factorisations;
  run_.reset();
  end_ = end;
  longest_ = settings_.max_step;
  const init::SearchInput input = start::search_input_near(plan_, t, derivatives, {});
  array_ = std::make_unique<start::StudiedArray>(plan_, t, input.starts, 1 + num_extra);
  const reduce::ArrayFinding& finding = array_->finding;
  if (finding.point.outcome != init::Outcome::found || finding.index < 0) return false;
  nominals_ = array_->model.study().nominals();
  completion_.emplace(array_->model.mutable_form(), plan_.parameters, nominals_,
                      finding.index + num_extra, finding.time_scale, 1 + num_extra);
  completion_->begin(finding.whole);
  begin_run(t);
  return run_->is_defined();
}

void CompletionMethod::begin_run(double t) {
  rejected_before_ = counters_.rejected;
  const auto n = static_cast<std::ptrdiff_t>(nominals_.size());
  const std::vector<double> x(completion_->kept().begin(), completion_->kept().begin() + n);
  run_.emplace(*completion_, t, x,
               integrate::RungeKuttaOptions{
                   .tolerance = settings_.tolerance, .max_step = longest_, .nominals = nominals_},
               depends_on_time(plan_));
  count();
}

// Steps on which the polynomials would be less accurate than their ends are made again, shorter.
bool CompletionMethod::advance() {
  for (int trial = 0; trial < most_trials && run_->is_defined(); ++trial) {
    const double from = t();
    const std::vector<double> kept = completion_->kept();
    const bool is_made = run_->advance(end_);
    count();
    if (!is_made) return false;
    const double h = t() - from;
    if (defect(h, kept) <= 1.0) {
      longest_ = std::min(settings_.max_step, growth * longest_);
      run_->set_longest_step(longest_);
      return true;
    }
    ++counters_.rejected;
    longest_ = 0.5 * std::abs(h);
    completion_->begin_with(kept, completion_->rank());
    begin_run(from);
  }
  return false;
}

// The integral of the slopes' polynomials against the step, in tolerances: Hermite's formula,
// sum_l C(m,l)/C(2m,l) (c_l(begin) - (-1)^l c_l(end)) with c_l = h^l x^(l)/l!, l = 1..m.
double CompletionMethod::defect(double h, const std::vector<double>& before) const {
  constexpr int m = 1 + num_extra;
  const std::vector<double>& after = completion_->kept();
  const std::size_t n = nominals_.size();
  double worst = 0.0;
  for (std::size_t u = 0; u < n; ++u) {
    double integral = 0.0, weight = 1.0, power = 1.0;
    for (int l = 1; l <= m; ++l) {
      weight *= static_cast<double>(m - l + 1) / (2 * m - l + 1);
      power *= h;
      const double sign = l % 2 == 0 ? -1.0 : 1.0;
      const std::size_t at = static_cast<std::size_t>(l) * n + u;
      integral += weight * power * (before[at] + sign * after[at]);
    }
    const double allowed = settings_.tolerance * (nominals_[u] + std::abs(after[u]));
    worst = std::max(worst, std::abs(after[u] - before[u] - integral) / allowed);
  }
  return worst;
}

void CompletionMethod::count() {
  counters_.rejected = rejected_before_ + run_->num_rejected();
  counters_.factorisations = factorisations_before_ + completion_->num_factorisations();
}

double CompletionMethod::derivative(int unknown, int order) const {
  const reduce::FirstOrderForm& form = array_->model.form();
  const int known = std::min(order, std::max(form.highest[unknown] - 1, 0));
  const int at = form.unknown_of(unknown, known), rest = order - known;
  return completion_->kept()[static_cast<std::size_t>(rest * form.num_unknowns() + at)] *
         taylor::factorial(rest);
}

}  // namespace daedal::run
