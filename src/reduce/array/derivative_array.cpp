#include "reduce/array/derivative_array.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "expr/partial.hpp"
#include "init/tangent_series.hpp"
#include "reduce/array/series_program.hpp"
#include "taylor/rules.hpp"

namespace daedal::reduce {
namespace {

// jacobian.values[entry] = factor * table[position], or +=.
struct Fill {
  std::uint32_t entry = 0;
  std::uint32_t position = 0;
  double factor = 1.0;
};

// df_i/dx_j^(q) = factor * node. Constant factors of a partial go into the entries of J.
struct ScaledPartial {
  int unknown = 0;
  int order = 0;
  NodeId node;
  double factor = 1.0;
};

// A contribution to an entry of J.
struct Term {
  int column = 0;
  ArrayPart part;
};

ScaledPartial without_factor(const expr::Graph& graph, const init::Partial& partial) {
  ScaledPartial result{partial.unknown, partial.order, partial.value, 1.0};
  while (graph.op(result.node) == expr::Op::affine && graph.number(result.node) == 0.0 &&
         graph.arguments(result.node).size() == 1) {
    result.factor *= graph.coefficients(result.node)[0];
    result.node = graph.arguments(result.node)[0];
  }
  return result;
}

using Partials = std::vector<std::vector<ScaledPartial>>;  // by equation

Partials partials_of(expr::Graph& graph, std::span<const NodeId> residuals) {
  Partials all;
  for (const auto& row : init::partials_of(graph, residuals)) {
    all.emplace_back();
    for (const init::Partial& partial : row) all.back().push_back(without_factor(graph, partial));
  }
  return all;
}

int highest_of(const Partials& partials) {
  int highest = 0;
  for (const auto& row : partials)
    for (const ScaledPartial& partial : row) highest = std::max(highest, partial.order);
  return highest;
}

using Root = SeriesProgram::Root;

std::vector<Root> roots_of(std::span<const NodeId> residuals, std::span<const int> times) {
  DAEDAL_CHECK(times.size() == residuals.size());
  std::vector<Root> roots;
  for (std::size_t i = 0; i < residuals.size(); ++i) roots.push_back({residuals[i], times[i]});
  return roots;
}

std::vector<Root> roots_of(const Partials& partials, std::span<const int> times) {
  std::vector<Root> roots;
  for (std::size_t i = 0; i < partials.size(); ++i)
    for (const ScaledPartial& partial : partials[i]) roots.push_back({partial.node, times[i]});
  return roots;
}

}  // namespace

class DerivativeArray::Work {
 public:
  Work(expr::Graph& graph, std::span<const NodeId> residuals, std::vector<int> times,
       Entries entries)
      : graph_(&graph),
        residuals_(expr::expand_derivatives(graph, residuals)),
        partials_(partials_of(graph, residuals_)),
        times_(std::move(times)),
        entries_(entries),
        num_unknowns_(static_cast<int>(graph.num_unknowns())),
        most_times_(times_.empty() ? 0 : *std::max_element(times_.begin(), times_.end())),
        highest_order_(most_times_ + highest_of(partials_)),
        program_(graph, roots_of(residuals_, times_), roots_of(partials_, times_), entries) {
    for (int k = 0; k <= most_times_; ++k)
      for (std::size_t i = 0; i < times_.size(); ++i)
        if (k <= times_[i]) rows_.push_back({static_cast<int>(i), k});
    lay_out_values();
    lay_out_jacobian();
  }

  void evaluate(const ArrayPoint& point) {
    program_.run(point, SeriesProgram::Part::first_roots);
    read_values();
  }

  void linearise(const ArrayPoint& point) {
    program_.run(point, SeriesProgram::Part::all_roots);
    read_values();
    if (generation_ != program_.generation()) {
      generation_ = program_.generation();
      fill(steady_fills_, steady_additions_);
    }
    fill(fills_, additions_);
  }

  int column(int unknown, int order) const { return order * num_unknowns_ + unknown; }

  std::size_t num_bytes() const {
    const auto bytes = [](const auto& vector) { return vector.size() * sizeof(vector[0]); };
    return program_.num_bytes() + bytes(values_) + bytes(jacobian_.starts) +
           bytes(jacobian_.columns) + bytes(jacobian_.values) + bytes(reads_) + bytes(fills_) +
           bytes(additions_) + bytes(steady_fills_) + bytes(steady_additions_);
  }

  ArrayRecipe recipe() const {
    ArrayRecipe recipe{
        .series = {}, .orders = times_, .entries = entries_, .rows = {}, .values = {}};
    for (std::size_t i = 0; i < residuals_.size(); ++i) {
      recipe.series.push_back({residuals_[i]});
      for (const ScaledPartial& partial : partials_[i])
        recipe.series.back().push_back(partial.node);
    }
    for (const Place row : rows_) {
      recipe.rows.push_back({residuals_[row.index], row.order, row_factor(row.order)});
      for_each_entry(row, [&](std::span<const Term> terms) {
        recipe.values.emplace_back();
        for (const Term& term : terms) recipe.values.back().push_back(term.part);
      });
    }
    return recipe;
  }

  expr::Graph* graph_;
  std::vector<NodeId> residuals_;
  Partials partials_;
  std::vector<int> times_;
  Entries entries_;
  int num_unknowns_, most_times_, highest_order_;
  SeriesProgram program_;
  std::vector<Place> rows_;
  std::vector<double> values_;
  SparseRows jacobian_;
  std::vector<bool> is_steady_;  // by entry of the Jacobian
  bool has_run_ = false;

 private:
  double row_factor(int k) const {
    return entries_ == Entries::derivatives ? taylor::factorial(k) : 1.0;
  }

  void lay_out_values() {
    values_.resize(rows_.size());
    for (const auto [i, k] : rows_)
      reads_.push_back({0, program_.position(residuals_[i], k), row_factor(k)});
  }

  // d(f)_k/d(x_j)_m = sum_q (df/dx_j^(q))_{k-m+q} m!/(m-q)!, rule C3; times k!/m! for derivatives.
  // By column.
  std::vector<Term> terms_of(Place row) const {
    std::vector<Term> terms;
    const int k = row.order;
    for (const ScaledPartial& partial : partials_[row.index])
      for (int s = 0; s <= (program_.is_steady(partial.node) ? 0 : k); ++s) {
        const int m = k - s + partial.order;
        const double factor = init::falling_factorial(m, partial.order) * row_factor(k) /
                              row_factor(m) * partial.factor;
        terms.push_back({column(partial.unknown, m), {partial.node, s, factor}});
      }
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Term& a, const Term& b) { return a.column < b.column; });
    return terms;
  }

  // Calls visit(terms) for each entry of a row.
  template <typename Visit>
  void for_each_entry(Place row, Visit visit) const {
    const std::vector<Term> terms = terms_of(row);
    for (auto first = terms.begin(); first != terms.end();) {
      const auto last = std::find_if(first, terms.end(), [column = first->column](const Term& t) {
        return t.column != column;
      });
      visit(std::span<const Term>(first, last));
      first = last;
    }
  }

  void lay_out_jacobian() {
    for (const Place row : rows_) {
      for_each_entry(row, [this](std::span<const Term> terms) { add_entry(terms); });
      jacobian_.starts.push_back(static_cast<int>(jacobian_.columns.size()));
    }
    jacobian_.values.resize(jacobian_.columns.size());
  }

  void add_entry(std::span<const Term> terms) {
    const bool is_steady = std::all_of(terms.begin(), terms.end(), [this](const Term& term) {
      return program_.is_steady(term.part.node);
    });
    is_steady_.push_back(is_steady);
    const auto entry = static_cast<std::uint32_t>(jacobian_.columns.size());
    for (std::size_t a = 0; a < terms.size(); ++a) {
      auto& list = a == 0 ? (is_steady ? steady_fills_ : fills_)
                          : (is_steady ? steady_additions_ : additions_);
      const ArrayPart& part = terms[a].part;
      list.push_back({entry, program_.position(part.node, part.order), part.factor});
    }
    jacobian_.columns.push_back(terms[0].column);
  }

  void read_values() {
    has_run_ = true;
    const double* table = program_.table();
    for (std::size_t row = 0; row < reads_.size(); ++row)
      values_[row] = reads_[row].factor * table[reads_[row].position];
  }

  void fill(std::span<const Fill> fills, std::span<const Fill> additions) {
    const double* table = program_.table();
    double* values = jacobian_.values.data();
    for (const Fill& f : fills) values[f.entry] = f.factor * table[f.position];
    for (const Fill& f : additions) values[f.entry] += f.factor * table[f.position];
  }

  std::vector<Fill> reads_;  // of G, by row
  std::vector<Fill> fills_, additions_, steady_fills_, steady_additions_;
  std::uint64_t generation_ = 0;  // of the steady entries
};

DerivativeArray::DerivativeArray(expr::Graph& graph, std::span<const NodeId> residuals,
                                 std::vector<int> times, Entries entries)
    : work_(std::make_unique<Work>(graph, residuals, std::move(times), entries)) {}
DerivativeArray::~DerivativeArray() = default;
DerivativeArray::DerivativeArray(DerivativeArray&&) noexcept = default;
DerivativeArray& DerivativeArray::operator=(DerivativeArray&&) noexcept = default;

int DerivativeArray::num_unknowns() const { return work_->num_unknowns_; }
int DerivativeArray::num_columns() const {
  return work_->num_unknowns_ * (work_->highest_order_ + 1);
}
int DerivativeArray::highest_order() const { return work_->highest_order_; }
std::span<const Place> DerivativeArray::rows() const { return work_->rows_; }
int DerivativeArray::column(int unknown, int order) const { return work_->column(unknown, order); }
Place DerivativeArray::place_of_column(int column) const {
  return {column % work_->num_unknowns_, column / work_->num_unknowns_};
}
void DerivativeArray::evaluate(const ArrayPoint& point) { work_->evaluate(point); }
void DerivativeArray::linearise(const ArrayPoint& point) { work_->linearise(point); }
std::span<const double> DerivativeArray::values() const { return work_->values_; }
const SparseRows& DerivativeArray::jacobian() const { return work_->jacobian_; }
bool DerivativeArray::is_steady(int entry) const { return work_->is_steady_[entry]; }
std::size_t DerivativeArray::num_operations(bool with_jacobian) const {
  return work_->program_.num_operations(with_jacobian ? SeriesProgram::Part::all_roots
                                                      : SeriesProgram::Part::first_roots);
}
std::size_t DerivativeArray::num_bytes() const { return work_->num_bytes(); }
std::vector<NodeId> DerivativeArray::undefined_operations() const {
  return work_->has_run_ ? work_->program_.undefined_operations() : std::vector<NodeId>{};
}

expr::Graph& DerivativeArray::graph() const { return *work_->graph_; }
ArrayRecipe DerivativeArray::recipe() const { return work_->recipe(); }

}  // namespace daedal::reduce
