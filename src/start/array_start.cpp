#include "start/array_start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/wording.hpp"
#include "plan/balanced_model.hpp"
#include "start/consistent_start.hpp"
#include "taylor/rules.hpp"

namespace daedal::start {
namespace {

using base::listed;
using base::plural;

constexpr std::size_t largest_quick = 24;  // unknowns of order one

class Wording {
 public:
  Wording(ArrayModel& model, const reduce::ArrayFinding& finding, double t)
      : model_(model), finding_(finding), t_(t) {}

  // S-ARR-001: no array up to the largest one tried is 1-full.
  Problem no_index() const {
    return {.id = "S-ARR-001",
            .what = fmt::format("no derivative array determines the solution at t = {}", t_),
            .where = model_.plan().model.place.text(),
            .why = fmt::format(
                "equations differentiated up to {} times leave {} of {} undifferentiated "
                "components open",
                finding_.size_tried - 1, finding_.projectors.num_open, finding_.projectors.rank_Q),
            .todo =
                "look for equations that follow from others, or for an unknown that no "
                "equation determines"};
  }

  // S-ARR-002
  Problem inadmissible() const {
    const std::vector<std::string> names = inadmissible_conditions();
    return {
        .id = "S-ARR-002",
        .what = fmt::format("{} cannot be prescribed at t = {}", listed(names), t_),
        .where = places(),
        .why = fmt::format(
            "the derivative array of index {} leaves {} of freedom, and the rank of {} on them "
            "is {}: {} determined by the equations and the other conditions",
            finding_.index, plural(static_cast<std::size_t>(finding_.projectors.rank_Pi), "degree"),
            plural(static_cast<std::size_t>(num_conditions()), "condition"),
            finding_.projectors.rank_U, names.size() == 1 ? "it is" : "they are"),
        .todo =
            "leave the condition out, or prescribe another value in its place; `daedal "
            "array` prints what is free (Pi)"};
  }

  std::vector<std::string> inadmissible_conditions() const {
    std::vector<std::string> names;
    for (const int a : finding_.inadmissible) names.push_back(label(conditions()[a]));
    return names;
  }

 private:
  // In the order of the rows of U.
  std::vector<init::Condition> conditions() const {
    std::vector<init::Condition> all;
    const auto& starts = model_.study().starts();
    for (std::size_t j = 0; j < starts.size(); ++j)
      for (std::size_t m = 0; m < starts[j].derivatives.size(); ++m)
        if (starts[j].derivatives[m].fixed)
          all.push_back({.unknown = static_cast<int>(j), .order = static_cast<int>(m)});
    for (std::size_t e = 0; e < model_.form().conditions.size(); ++e)
      all.push_back({.initial_equation = static_cast<int>(e)});
    return all;
  }
  int num_conditions() const { return static_cast<int>(conditions().size()); }

  std::string label(const init::Condition& condition) const {
    const model::ModelData& data = model_.plan().model;
    if (!condition.is_fixed_value()) {
      const std::string& name = data.initial_equations[condition.initial_equation].name;
      return name.empty() ? fmt::format("initial equation {}", condition.initial_equation + 1)
                          : fmt::format("initial equation '{}'", name);
    }
    const auto [j, order] = model_.form().meaning[condition.unknown];
    return fmt::format("{} = {}",
                       model::derivative_name(data.variables[j].name, order + condition.order),
                       model_.study().starts()[condition.unknown].at(condition.order).value);
  }

  std::string places() const {
    const model::ModelData& data = model_.plan().model;
    return listed(finding_.inadmissible.size(), [&](std::size_t k) {
      const init::Condition condition = conditions()[finding_.inadmissible[k]];
      return condition.is_fixed_value()
                 ? data.variables[model_.form().meaning[condition.unknown].index].place.text()
                 : data.initial_equations[condition.initial_equation].place.text();
    });
  }

  ArrayModel& model_;
  const reduce::ArrayFinding& finding_;
  double t_;
};

MatrixRows rows_of(const reduce::Matrix& matrix) {
  MatrixRows rows(static_cast<std::size_t>(matrix.rows()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) rows[i].push_back(matrix(i, j));
  return rows;
}

// Every value that the search could choose: the unknowns of order one.
std::vector<StartValue> start_values(const ArrayModel& model,
                                     const std::vector<init::GivenStart>& starts,
                                     const reduce::Derivatives& found) {
  std::vector<StartValue> values;
  for (std::size_t u = 0; u < starts.size(); ++u) {
    const auto [j, order] = model.form().meaning[u];
    values.push_back({.variable = j,
                      .order = order,
                      .value = found[u].empty() ? 0.0 : found[u][0],
                      .given = starts[u].at(0).value,
                      .fixed = starts[u].at(0).fixed});
  }
  return values;
}

}  // namespace

ConsistentPoint array_start(ArrayModel& model, const reduce::ArrayFinding& finding, double t) {
  return array_point_near(model, finding, search_input(model.mutable_plan(), t));
}

ConsistentPoint array_point_near(ArrayModel& model, const reduce::ArrayFinding& finding,
                                 const init::SearchInput& input) {
  const double t = input.time;
  plan::Plan& plan = model.mutable_plan();
  ConsistentPoint point = in_words(plan, input, model.translated(finding.point));
  point.index = finding.index;
  point.index_kind = "numerical";
  point.dof = finding.projectors.rank_Pi;
  point.condition = finding.condition.rank > 0 ? finding.condition.condition() : 0.0;
  point.values = model.derivatives(finding.point.derivatives);
  point.start = start_values(model, model.study().starts(), finding.point.derivatives);
  if (!point.ok()) return with_outputs(plan, std::move(point));
  const Wording wording(model, finding, t);
  if (finding.index < 0) {
    point.status = Status::structural_analysis_fails;
    point.problems.push_back(wording.no_index());
  } else if (!finding.inadmissible.empty()) {
    point.status = Status::conflicting_conditions;
    point.problems.push_back(wording.inadmissible());
  }
  return with_outputs(plan, std::move(point));
}

ConsistentPoint array_start_instead_of_structure(ArrayModel& model,
                                                 const reduce::ArrayFinding& finding, double t) {
  ConsistentPoint point = array_start(model, finding, t);
  if (finding.index < 0)
    point.problems =
        plan::joined(explain_regularity(model.mutable_plan()), std::move(point.problems));
  return point;
}

bool has_regular_array(plan::Plan& plan, double t) {
  ArrayModel model(plan, t);
  const reduce::ArrayFinding finding = model.study().at(t);
  return finding.point.outcome == init::Outcome::found && finding.index >= 0 &&
         finding.inadmissible.empty() && finding.projectors.has_full_row_rank &&
         finding.num_determined > 1;
}

ArrayAnalysis describe(ArrayModel& model, const reduce::ArrayFinding& finding, double t) {
  const ConsistentPoint point = array_start(model, finding, t);
  ArrayAnalysis a;
  a.model = model.plan().model.name;
  a.status = point.status;
  a.problems = point.problems;
  a.t = t;
  for (int j = 0; j < model.form().num_unknowns(); ++j) a.variables.push_back(model.name(j));
  a.values = finding.point.derivatives;
  a.index = finding.index;
  a.dof = finding.projectors.rank_Pi;
  const reduce::Projectors& p = finding.projectors;
  a.P = rows_of(p.P);
  a.Q = rows_of(p.Q);
  a.Pi = rows_of(p.Pi);
  a.Pi_u = rows_of(p.Pi_u);
  a.rank_P = p.rank_P;
  a.rank_W1 = p.rank_W1;
  a.rank_W2 = p.rank_W2;
  a.rank_Pi_u = p.rank_Pi_u;
  a.rank = finding.condition.rank;
  a.condition = point.condition;
  a.smallest = finding.condition.smallest;
  a.gap = p.gap;
  a.full_row_rank = p.has_full_row_rank;
  a.determined = finding.num_determined;
  a.residual = finding.point.residual;
  a.distance = finding.point.distance;
  a.inadmissible = Wording(model, finding, t).inadmissible_conditions();
  return a;
}

std::optional<int> quick_numerical_index(const model::ModelData& model, double t) {
  if (model.equations.size() > largest_quick) return std::nullopt;
  plan::Plan plan = plan::make_plan(model);
  ArrayModel array(plan, t);
  if (array.form().meaning.size() > largest_quick) return std::nullopt;
  const reduce::ArrayFinding finding = array.study().at(t, 0);
  return finding.index >= 0 ? std::optional(finding.index) : std::nullopt;
}

}  // namespace daedal::start
