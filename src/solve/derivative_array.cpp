#include "daedal/derivative_array.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/near_miss.hpp"
#include "daedal/error.hpp"
#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "model/check.hpp"
#include "plan/balanced_model.hpp"
#include "reduce/array/array_source.hpp"
#include "reduce/array/c_text.hpp"
#include "reduce/array/derivative_array.hpp"
#include "run/modes/guessed_mode.hpp"

namespace daedal {
namespace {

using model::ModelData;

// The equations that hold at the guesses, without redundant constraints, with a graph of their own.
struct EquationsAt {
  EquationsAt(const Model& model, std::optional<double> time) {
    const double t = time.value_or(model.experiment().start_time.value_or(0.0));
    const run::GuessedMode mode(model.data(), t);
    const plan::BalancedModel balanced(mode.data(), t);
    data = model::copy_of(balanced.data());
    conditions = mode.conditions();
  }

  ModelData data;
  std::vector<std::string> conditions;  // where they hold
};

expr::Simplified simplified_residuals(const ModelData& model) {
  std::vector<expr::NodeId> residuals;
  for (const model::Equation& equation : model.equations) residuals.push_back(equation.residual);
  return expr::simplify(*model.graph, residuals);
}

Problem wrong_number(const std::string& what, const std::string& why) {
  return {.id = "E-ARR-001",
          .what = what,
          .where = "options of the derivative array",
          .why = why,
          .todo = "give one number from 0 on for all equations, or one for each",
          .excerpt = {}};
}

std::vector<int> times_of(const ModelData& model, const DerivativeArrayOptions& options) {
  const std::size_t size = model.equations.size();
  const std::vector<int>& given = options.differentiations_by_equation;
  if (!given.empty() && given.size() != size)
    throw Error(wrong_number(
        fmt::format("{} numbers of differentiations for {} equations", given.size(), size),
        "each equation needs one"));
  std::vector<int> times = given.empty() ? std::vector<int>(size, options.differentiations) : given;
  for (std::size_t i = 0; i < size; ++i)
    if (times[i] < 0 || times[i] > expr::largest_order)
      throw Error(
          wrong_number(fmt::format("{} cannot be differentiated {} times",
                                   model.label(model::EquationId(i)), times[i]),
                       fmt::format("the number of times is from 0 to {}", expr::largest_order)));
  return times;
}

std::string note_on(const ModelData& model, const model::Parameter& parameter) {
  if (parameter.structural) return "fixed: it shapes the model";
  if (parameter.is_discrete) return "a discrete variable";
  if (!parameter.binding || parameter.override_value ||
      model.graph->op(*parameter.binding) == expr::Op::constant)
    return parameter.unit;
  return fmt::format("= {}, which is not computed again when they change",
                     expr::to_text(*model.graph, *parameter.binding));
}

std::string row_name(const std::string& equation, int order) {
  if (order == 0) return equation;
  return order == 1 ? "d/dt " + equation : fmt::format("d^{0}/dt^{0} {1}", order, equation);
}

}  // namespace

class DerivativeArray::Work {
 public:
  Work(const Model& user_model, const DerivativeArrayOptions& options)
      : Work(EquationsAt(user_model, options.t), options) {}

  Work(EquationsAt given, const DerivativeArrayOptions& options)
      : model(std::move(given.data)),
        conditions(std::move(given.conditions)),
        parameters(model::check(model)),
        equations(simplified_residuals(model)),
        array(*equations.graph, equations.roots, times_of(model, options),
              options.entries == ArrayEntries::derivatives ? reduce::Entries::derivatives
                                                           : reduce::Entries::coefficients),
        ascends(options.columns == ArrayColumns::ascending),
        point(array.num_columns()) {
    name_rows();
    name_columns();
    lay_out_jacobian();
  }

  reduce::ArrayPoint point_at(double t, std::span<const double> values) {
    if (values.size() != columns.size())
      throw Error(Problem{
          .id = "E-ARR-002",
          .what = fmt::format("{} values where {} are needed", values.size(), columns.size()),
          .where = fmt::format("derivative array of {} at t = {}", model.name, t),
          .why = "every column of J needs a value",
          .todo = "see column_names() for what they are",
          .excerpt = {}});
    if (ascends) return {t, parameters, values};
    for (std::size_t c = 0; c < columns.size(); ++c) point[ascending_column(c)] = values[c];
    return {t, parameters, point};
  }

  void read_jacobian() {
    const std::vector<double>& values = array.jacobian().values;
    if (ascends)
      std::copy(values.begin(), values.end(), jacobian.values.begin());
    else
      for (std::size_t k = 0; k < values.size(); ++k)
        jacobian.values[k] = values[source_of_entry[k]];
  }

  std::string source(const std::string& prefix) const {
    reduce::ArraySourceNames names{.prefix = prefix.empty() ? reduce::c_prefix(model.name) : prefix,
                                   .model = model.name,
                                   .rows = row_names,
                                   .columns = column_names,
                                   .parameters = {},
                                   .conditions = conditions,
                                   .column_numbers = {},
                                   .entry_numbers = std::vector<int>(source_of_entry.size()),
                                   .row_starts = jacobian.row_starts,
                                   .entry_columns = jacobian.columns};
    for (std::size_t k = 0; k < model.parameters.size(); ++k)
      names.parameters.push_back(
          {model.parameters[k].name, parameters[k], note_on(model, model.parameters[k])});
    for (int column = 0; column < array.num_columns(); ++column)
      names.column_numbers.push_back(own_column(column));
    for (std::size_t k = 0; k < source_of_entry.size(); ++k)
      names.entry_numbers[source_of_entry[k]] = static_cast<int>(k);
    return reduce::array_source(array, names);
  }

  std::size_t ascending_column(std::size_t column) const {
    return array.column(columns[column].index, columns[column].order);
  }

  ModelData model;
  std::vector<std::string> conditions;
  std::vector<double> parameters;
  expr::Simplified equations;
  reduce::DerivativeArray array;
  bool ascends;
  std::vector<double> point;  // values in ascending columns
  std::vector<ArrayPlace> rows, columns;
  std::vector<std::string> row_names, column_names;
  SparseMatrix jacobian;
  std::vector<int> source_of_entry;  // by entry: which one of the array's own J it is

 private:
  void name_rows() {
    for (const reduce::Place row : array.rows()) {
      rows.push_back({row.index, row.order});
      row_names.push_back(
          row_name(model.label(model::EquationId(static_cast<std::size_t>(row.index))), row.order));
    }
  }

  void name_columns() {
    const int highest = array.highest_order();
    for (int k = 0; k <= highest; ++k) {
      const int order = ascends ? k : (k + 1) % (highest + 1);
      for (int j = 0; j < array.num_unknowns(); ++j) {
        columns.push_back({j, order});
        column_names.push_back(model::derivative_name(model.variables[j].name, order));
      }
    }
  }

  // Column of J for that of the array: the unknowns themselves last, if they are to be.
  int own_column(int column) const {
    const int n = array.num_unknowns();
    return ascends ? column : (column < n ? column + array.num_columns() - n : column - n);
  }

  void lay_out_jacobian() {
    const reduce::SparseRows& given = array.jacobian();
    jacobian.row_starts = given.starts;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      std::vector<std::pair<int, int>> entries;  // column, source
      for (int k = given.starts[row]; k < given.starts[row + 1]; ++k)
        entries.push_back({own_column(given.columns[k]), k});
      std::sort(entries.begin(), entries.end());
      for (const auto& [column, from] : entries) {
        jacobian.columns.push_back(column);
        source_of_entry.push_back(from);
      }
    }
    jacobian.values.resize(source_of_entry.size());
  }
};

DerivativeArray::DerivativeArray(const Model& model, const DerivativeArrayOptions& options)
    : work_(std::make_unique<Work>(model, options)) {}
DerivativeArray::~DerivativeArray() = default;
DerivativeArray::DerivativeArray(DerivativeArray&&) noexcept = default;
DerivativeArray& DerivativeArray::operator=(DerivativeArray&&) noexcept = default;

const std::vector<std::string>& DerivativeArray::row_names() const { return work_->row_names; }
const std::vector<std::string>& DerivativeArray::column_names() const {
  return work_->column_names;
}
const std::vector<ArrayPlace>& DerivativeArray::rows() const { return work_->rows; }
const std::vector<ArrayPlace>& DerivativeArray::columns() const { return work_->columns; }

int DerivativeArray::column(const std::string& variable, int order) const {
  const std::string name = model::derivative_name(variable, order);
  const auto& names = column_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  const std::string hint = base::did_you_mean(name, names);
  throw Error(
      Problem{.id = "E-ARR-003",
              .what = fmt::format("there is no column '{}'", name),
              .where = fmt::format("derivative array of {}", work_->model.name),
              .why = fmt::format("the columns are the variables and their derivatives up to {}",
                                 work_->array.highest_order()),
              .todo = hint.empty() ? "the columns have names such as x, der(x), der(x, 2)" : hint,
              .excerpt = {}});
}

void DerivativeArray::set_parameters(const ParameterValues& parameters) {
  work_->parameters = model::parameter_values(work_->model, parameters);
}

void DerivativeArray::evaluate(double t, std::span<const double> values) {
  work_->array.evaluate(work_->point_at(t, values));
}

void DerivativeArray::linearise(double t, std::span<const double> values) {
  work_->array.linearise(work_->point_at(t, values));
  work_->read_jacobian();
}

std::span<const double> DerivativeArray::values() const { return work_->array.values(); }
const SparseMatrix& DerivativeArray::jacobian() const { return work_->jacobian; }

std::vector<std::string> DerivativeArray::undefined_operations() const {
  std::vector<std::string> texts;
  for (const expr::NodeId node : work_->array.undefined_operations())
    texts.push_back(expr::to_text(*work_->equations.graph, node));
  return texts;
}

std::string DerivativeArray::source(const std::string& prefix) const {
  if (!prefix.empty() && !reduce::is_c_prefix(prefix))
    throw Error(Problem{
        .id = "E-ARR-004",
        .what = fmt::format("'{}' cannot be the beginning of names of functions", prefix),
        .where = fmt::format("source of the derivative array of {}", work_->model.name),
        .why = fmt::format("C and Fortran take a letter, then letters, digits and underscores, {} "
                           "of them at most",
                           reduce::longest_c_prefix),
        .todo = fmt::format("try '{}'", reduce::c_prefix(prefix)),
        .excerpt = {}});
  return work_->source(prefix);
}

}  // namespace daedal
