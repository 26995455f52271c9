#include "daedal/solution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/near_miss.hpp"
#include "model/model_data.hpp"
#include "solution/record.hpp"

namespace daedal {
namespace {

Problem no_such_number(int variable, int num_variables, double t) {
  return {.id = "E-SOL-002",
          .what = fmt::format("there is no variable number {}", variable),
          .where = fmt::format("solution at t = {}", t),
          .why = fmt::format("the variables are numbered 0 to {}", num_variables - 1),
          .todo = "use the order of declaration, or the name"};
}

// Throws unless x_j^(order)(t) is known.
void check(const solution::Trajectory* trajectory, int variable, double t, long order) {
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
    throw Error(no_such_number(variable, num_variables, t));
  const int degree = layout.degree(variable);
  if (order < 0 || order > degree)
    throw Error(Problem{.id = "E-SOL-004",
                        .what = fmt::format("derivative {} cannot be told", order),
                        .where = fmt::format("solution at t = {}", t),
                        .why = fmt::format("the polynomials have degree {}", degree),
                        .todo = "ask for a lower derivative, or solve with a higher order"});
}

Problem no_derivative_of_discrete(const std::string& name, double t, long order) {
  return {.id = "E-SOL-004",
          .what = fmt::format("derivative {} of the discrete variable '{}' cannot be told", order,
                              name),
          .where = fmt::format("solution at t = {}", t),
          .why = "it keeps its value between events and jumps at them",
          .todo = fmt::format("ask for its value: {}", name)};
}

Problem no_derivative_of(const std::string& output, double t, long order) {
  return {.id = "E-SOL-004",
          .what = fmt::format("derivative {} of output '{}' cannot be told", order, output),
          .where = fmt::format("solution at t = {}", t),
          .why = "outputs are evaluated from the variables, they have values only",
          .todo = fmt::format("make its derivative an output of the model: der({})", output)};
}

Problem not_known_at_end(const std::string& name, double t, long order, std::size_t highest) {
  return {.id = "E-SOL-004",
          .what = fmt::format("derivative {} of '{}' cannot be told", order, name),
          .where = fmt::format("solution at t = {}", t),
          .why = fmt::format("at the end its derivatives are known up to {}", highest),
          .todo = "ask for a lower derivative, or for one at an earlier time"};
}

// What a name means: a derivative of a variable, or an output.
struct Named {
  std::optional<std::size_t> variable, output;
  long order = 0;
};

std::optional<std::size_t> place_of(const std::vector<std::string>& names,
                                    const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

Problem no_such_name(const solution::Record& record, const std::string& name, double t) {
  std::vector<std::string> names = record.variables;
  names.insert(names.end(), record.outputs.begin(), record.outputs.end());
  const std::string hint = base::did_you_mean(name, names);
  return {.id = "E-SOL-002",
          .what = fmt::format("there is no variable '{}'", name),
          .where = fmt::format("solution at t = {}", t),
          .why = "the model declares no variable or output of this name",
          .todo = hint.empty() ? "see Solution::variables() and outputs() for the names" : hint};
}

// Throws for a name that is none, and for a derivative of what has none.
Named find(const solution::Record& record, const std::string& name, int order, double t) {
  const auto look_up = [&](const std::string& plain, long derivative) -> Named {
    if (const auto variable = place_of(record.variables, plain))
      return {.variable = variable, .output = {}, .order = derivative};
    return {.variable = {}, .output = place_of(record.outputs, plain), .order = derivative};
  };
  Named named = look_up(name, order);
  if (named.variable) return named;
  if (!named.output) {
    const model::NamedDerivative given = model::read_derivative_name(name);
    named = look_up(given.name, static_cast<long>(given.order) + order);
    if (named.variable) return named;
    if (!named.output) throw Error(no_such_name(record, given.name, t));
  }
  if (named.order == 0) return named;
  const std::string& output = record.outputs[*named.output];
  const bool is_discrete = *named.output < static_cast<std::size_t>(record.num_discretes);
  throw Error(is_discrete ? no_derivative_of_discrete(output, t, named.order)
                          : no_derivative_of(output, t, named.order));
}

double value_at(const solution::Record& record, int variable, double t, long order) {
  check(record.trajectory.get(), variable, t, order);
  return record.trajectory->at(t).value(variable, t, static_cast<int>(order));
}

double final_value(const solution::Record& record, std::size_t variable, long order) {
  if (order == 0) return record.final[variable];
  const std::vector<double>& derivatives = record.final_derivatives[variable];
  if (order < 0 || order > static_cast<long>(derivatives.size()))
    throw Error(not_known_at_end(record.variables[variable], record.t, order, derivatives.size()));
  return derivatives[static_cast<std::size_t>(order) - 1];
}

double output_at(const solution::Record& record, std::size_t output, double t) {
  check(record.trajectory.get(), 0, t, 0);
  const solution::Trajectory::Place place = record.trajectory->at(t);
  const auto derivative = [&](int unknown, int times) { return place.value(unknown, t, times); };
  return record.output_functions->value(output, t, place.leg.parameters, derivative);
}

}  // namespace

Solution::Solution() = default;
Solution::~Solution() = default;
Solution::Solution(Solution&&) noexcept = default;
Solution& Solution::operator=(Solution&&) noexcept = default;
Solution::Solution(const Solution& other)
    : record_(other.record_ ? std::make_unique<solution::Record>(*other.record_) : nullptr) {}
Solution& Solution::operator=(const Solution& other) { return *this = Solution(other); }

const solution::Record& Solution::record() const {
  static const solution::Record empty;
  return record_ ? *record_ : empty;
}

Status Solution::status() const { return record().status; }
const std::vector<Problem>& Solution::problems() const { return record().problems; }
const std::vector<Problem>& Solution::warnings() const { return record().warnings; }
const std::optional<Verification>& Solution::verification() const { return record().verification; }
const std::vector<std::string>& Solution::variables() const { return record().variables; }
const std::vector<std::string>& Solution::outputs() const { return record().outputs; }
int Solution::num_discretes() const { return record().num_discretes; }
const ConsistentPoint& Solution::start() const { return record().start; }
double Solution::t() const { return record().t; }
const std::vector<double>& Solution::final() const { return record().final; }
const std::vector<double>& Solution::final_outputs() const { return record().final_outputs; }
const std::vector<std::vector<double>>& Solution::final_derivatives() const {
  return record().final_derivatives;
}
const std::vector<Sample>& Solution::at() const { return record().at; }
const std::string& Solution::method() const { return record().method; }
const std::string& Solution::method_reason() const { return record().method_reason; }
int Solution::order() const { return record().order; }
double Solution::tolerance() const { return record().tolerance; }
bool Solution::converted() const { return record().converted; }
const std::string& Solution::kernel() const { return record().kernel; }
const std::vector<double>& Solution::step_times() const { return record().step_times; }
const std::vector<StepNote>& Solution::step_notes() const { return record().step_notes; }
const std::vector<Singularity>& Solution::singularities() const { return record().singularities; }
const std::vector<Indicator>& Solution::indicators() const { return record().indicators; }
const std::vector<Event>& Solution::events() const { return record().events; }
const std::vector<ModeMet>& Solution::modes() const { return record().modes; }
int Solution::num_modes() const { return record().num_modes; }
const std::optional<Zeno>& Solution::zeno() const { return record().zeno; }
const std::vector<StateVector>& Solution::state_vectors() const { return record().state_vectors; }
const Statistics& Solution::statistics() const { return record().statistics; }
const Seconds& Solution::seconds() const { return record().seconds; }

double Solution::final(const std::string& name, int order) const {
  const Named named = find(record(), name, order, t());
  return named.output ? final_outputs()[*named.output]
                      : final_value(record(), *named.variable, named.order);
}

double Solution::final(int variable, int order) const {
  const auto num_variables = static_cast<int>(variables().size());
  if (variable < 0 || variable >= num_variables)
    throw Error(no_such_number(variable, num_variables, t()));
  return final_value(record(), static_cast<std::size_t>(variable), order);
}

double Solution::operator()(const std::string& name, double t, int order) const {
  const Named named = find(record(), name, order, t);
  return named.output ? output_at(record(), *named.output, t)
                      : value_at(record(), static_cast<int>(*named.variable), t, named.order);
}

double Solution::operator()(int variable, double t, int order) const {
  return value_at(record(), variable, t, order);
}

std::vector<double> Solution::operator()(double t) const {
  const solution::Trajectory* trajectory = record().trajectory.get();
  check(trajectory, 0, t, 0);
  const solution::Trajectory::Place place = trajectory->at(t);
  std::vector<double> values(record().variables.size());
  for (std::size_t j = 0; j < values.size(); ++j)
    values[j] = place.value(static_cast<int>(j), t, 0);
  return values;
}

}  // namespace daedal
