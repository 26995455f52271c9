#include "run/steppers/determinant_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/wording.hpp"

namespace daedal::run {
namespace {

constexpr long never = -1000;
// A jump of the highest derivatives by this part of their size is no smooth passage.
constexpr double other_branch = 0.5;

void note_condition(int block, const integrate::TaylorRun& run, Statistics& statistics) {
  statistics.max_condition =
      std::max(statistics.max_condition, run.series().condition(block, run.lane()));
}

}  // namespace

void DeterminantWatch::begin(const integrate::TaylorRun& run, Solution& solution) {
  singular_time_.reset();
  lost_block_ = -1;
  last_change_.assign(run.series().num_blocks(), never);
  take_signs(run, solution);
}

// The determinants of blocks whose Jacobian is constant are looked at here only.
void DeterminantWatch::take_signs(const integrate::TaylorRun& run, Solution& solution) {
  const taylor::SeriesSolver& series = run.series();
  signs_.clear();
  varying_blocks_.clear();
  for (int b = 0; b < series.num_blocks(); ++b) {
    signs_.push_back(series.determinant_sign(b, run.lane()));
    if (!series.has_constant_jacobian(b)) varying_blocks_.push_back(b);
    note_condition(b, run, solution.statistics);
  }
}

void DeterminantWatch::look(const integrate::TaylorRun& run, Solution& solution) {
  for (const int b : varying_blocks_) {
    const int sign = run.series().determinant_sign(b, run.lane());
    if (sign != signs_[b]) note_change(b, run, solution);
    signs_[b] = sign;
    note_condition(b, run, solution.statistics);
  }
}

void DeterminantWatch::note_change(int block, const integrate::TaylorRun& run, Solution& solution) {
  const long step_number = solution.statistics.steps;
  if (step_number - last_change_[block] <= 2 || run.jump(block) > other_branch) lost_block_ = block;
  last_change_[block] = step_number;
  const solution::StepView step = run.accepted();
  solution.singularities.push_back(
      {.t = time_of_change(block, run),
       .block = names_of(block),
       .why = fmt::format("the determinant of the block's Jacobian changes sign between t = {} "
                          "and t = {}",
                          step.begin, step.end)});
}

double DeterminantWatch::time_of_change(int block, const integrate::TaylorRun& run) {
  const solution::StepView step = run.accepted();
  if (!singular_time_) singular_time_ = std::make_unique<SingularTime>(run.series(), run.lane());
  return singular_time_->find(block, signs_[block], step, run.shape().layout)
      .value_or(0.5 * (step.begin + step.end));
}

std::string DeterminantWatch::names_of(int block) const {
  const std::vector<int>& unknowns = plan_.structure.fine_blocks[block].unknowns;
  return base::listed(unknowns.size(), [&](std::size_t k) {
    return plan_.model.label(model::UnknownId(static_cast<std::size_t>(unknowns[k])));
  });
}

}  // namespace daedal::run
