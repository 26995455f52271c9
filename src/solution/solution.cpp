#include "daedal/solution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/near_miss.hpp"
#include "solution/trajectory.hpp"

namespace daedal {
namespace {

// Throws unless x_j^(order)(t) can be told.
void check(const solution::Trajectory* trajectory, int variable, double t, int order) {
  if (trajectory == nullptr || trajectory->is_empty())
    throw Error(Problem{.id = "E-SOL-003",
                        .what = "the solution has no steps to look into",
                        .where = fmt::format("solution at t = {}", t),
                        .why = "keep_steps was off, or no step was made",
                        .todo = "solve with keep_steps = true, or ask for times with `at`"});
  if (!trajectory->contains(t))
    throw Error(Problem{
        .id = "E-SOL-001",
        .what = fmt::format("t = {} is outside the solution", t),
        .where = fmt::format("solution at t = {}", t),
        .why = fmt::format("it goes from t = {} to t = {}", trajectory->begin(), trajectory->end()),
        .todo = "ask for a time inside, or solve over a longer interval"});
  const int num_variables = trajectory->layout().num_unknowns();
  if (variable < 0 || variable >= num_variables)
    throw Error(Problem{.id = "E-SOL-002",
                        .what = fmt::format("there is no variable number {}", variable),
                        .where = fmt::format("solution at t = {}", t),
                        .why = fmt::format("the variables are numbered 0 to {}", num_variables - 1),
                        .todo = "use the order of declaration, or the name"});
  const int degree = trajectory->layout().degree(variable);
  if (order < 0 || order > degree)
    throw Error(Problem{.id = "E-SOL-004",
                        .what = fmt::format("derivative {} cannot be told", order),
                        .where = fmt::format("solution at t = {}", t),
                        .why = fmt::format("the polynomials have degree {}", degree),
                        .todo = "ask for a lower derivative, or solve with a higher order"});
}

}  // namespace

Solution::Solution() = default;
Solution::~Solution() = default;
Solution::Solution(Solution&&) noexcept = default;
Solution& Solution::operator=(Solution&&) noexcept = default;

double Solution::operator()(const std::string& variable, double t_asked, int derivative) const {
  const auto found = std::find(variables.begin(), variables.end(), variable);
  if (found == variables.end()) {
    const std::string hint = base::did_you_mean(variable, variables);
    throw Error(Problem{.id = "E-SOL-002",
                        .what = fmt::format("there is no variable '{}'", variable),
                        .where = fmt::format("solution at t = {}", t_asked),
                        .why = "the model declares no variable of this name",
                        .todo = hint.empty() ? "see Solution::variables for the names" : hint});
  }
  return (*this)(static_cast<int>(found - variables.begin()), t_asked, derivative);
}

double Solution::operator()(int variable, double t_asked, int derivative) const {
  check(trajectory_.get(), variable, t_asked, derivative);
  return trajectory_->value(variable, t_asked, derivative);
}

std::vector<double> Solution::operator()(double t_asked) const {
  check(trajectory_.get(), 0, t_asked, 0);
  const solution::StepView step = trajectory_->step_at(t_asked);
  std::vector<double> values(variables.size());
  for (std::size_t j = 0; j < values.size(); ++j)
    values[j] = step.value(trajectory_->layout(), static_cast<int>(j), t_asked);
  return values;
}

}  // namespace daedal
