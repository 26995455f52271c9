#include "daedal/solution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/near_miss.hpp"
#include "solution/outputs.hpp"
#include "solution/trajectory.hpp"

namespace daedal {
namespace {

// Throws unless x_j^(order)(t) is known.
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
  const solution::StepLayout& layout = trajectory->at(t).leg.layout;
  const int num_variables = layout.num_unknowns();
  if (variable < 0 || variable >= num_variables)
    throw Error(Problem{.id = "E-SOL-002",
                        .what = fmt::format("there is no variable number {}", variable),
                        .where = fmt::format("solution at t = {}", t),
                        .why = fmt::format("the variables are numbered 0 to {}", num_variables - 1),
                        .todo = "use the order of declaration, or the name"});
  const int degree = layout.degree(variable);
  if (order < 0 || order > degree)
    throw Error(Problem{.id = "E-SOL-004",
                        .what = fmt::format("derivative {} cannot be told", order),
                        .where = fmt::format("solution at t = {}", t),
                        .why = fmt::format("the polynomials have degree {}", degree),
                        .todo = "ask for a lower derivative, or solve with a higher order"});
}

Problem no_derivative_of_discrete(const std::string& name, double t, int order) {
  return {.id = "E-SOL-004",
          .what = fmt::format("derivative {} of the discrete variable '{}' cannot be told", order,
                              name),
          .where = fmt::format("solution at t = {}", t),
          .why = "it keeps its value between events and jumps at them",
          .todo = fmt::format("ask for its value: {}", name)};
}

Problem no_derivative_of(const std::string& output, double t, int order) {
  return {.id = "E-SOL-004",
          .what = fmt::format("derivative {} of output '{}' cannot be told", order, output),
          .where = fmt::format("solution at t = {}", t),
          .why = "outputs are evaluated from the variables, they have values only",
          .todo = fmt::format("make its derivative an output of the model: der({})", output)};
}

}  // namespace

Solution::Solution() = default;
Solution::~Solution() = default;
Solution::Solution(Solution&&) noexcept = default;
Solution& Solution::operator=(Solution&&) noexcept = default;
Solution::Solution(const Solution&) = default;
Solution& Solution::operator=(const Solution&) = default;

double Solution::operator()(const std::string& name, double t_asked, int derivative) const {
  if (const auto found = std::find(variables.begin(), variables.end(), name);
      found != variables.end())
    return (*this)(static_cast<int>(found - variables.begin()), t_asked, derivative);
  if (const auto found = std::find(outputs.begin(), outputs.end(), name); found != outputs.end()) {
    const auto output = static_cast<std::size_t>(found - outputs.begin());
    const bool is_discrete = output < static_cast<std::size_t>(num_discretes);
    if (derivative != 0)
      throw Error(is_discrete ? no_derivative_of_discrete(name, t_asked, derivative)
                              : no_derivative_of(name, t_asked, derivative));
    return output_at(output, t_asked);
  }
  std::vector<std::string> names = variables;
  names.insert(names.end(), outputs.begin(), outputs.end());
  const std::string hint = base::did_you_mean(name, names);
  throw Error(
      Problem{.id = "E-SOL-002",
              .what = fmt::format("there is no variable '{}'", name),
              .where = fmt::format("solution at t = {}", t_asked),
              .why = "the model declares no variable or output of this name",
              .todo = hint.empty() ? "see Solution::variables and outputs for the names" : hint});
}

double Solution::output_at(std::size_t output, double t_asked) const {
  check(trajectory_.get(), 0, t_asked, 0);
  const solution::Trajectory::Place place = trajectory_->at(t_asked);
  const auto derivative = [&](int unknown, int times) {
    return place.value(unknown, t_asked, times);
  };
  return output_functions_->value(output, t_asked, place.leg.parameters, derivative);
}

double Solution::operator()(int variable, double t_asked, int derivative) const {
  check(trajectory_.get(), variable, t_asked, derivative);
  return trajectory_->at(t_asked).value(variable, t_asked, derivative);
}

std::vector<double> Solution::operator()(double t_asked) const {
  check(trajectory_.get(), 0, t_asked, 0);
  const solution::Trajectory::Place place = trajectory_->at(t_asked);
  std::vector<double> values(variables.size());
  for (std::size_t j = 0; j < values.size(); ++j)
    values[j] = place.value(static_cast<int>(j), t_asked, 0);
  return values;
}

}  // namespace daedal
