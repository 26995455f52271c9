#include "reduce/derivative_array.hpp"

#include <algorithm>
#include <map>

#include "base/check.hpp"
#include "expr/partial.hpp"
#include "init/tangent_series.hpp"
#include "taylor/rules.hpp"

namespace daedal::reduce {
namespace {

// values[entry] += factor * coefficient `order` of `node`.
struct Term {
  int entry = 0;
  NodeId node;
  int order = 0;
  double factor = 1.0;
};

int highest_of(const std::vector<std::vector<init::Partial>>& partials) {
  int highest = 0;
  for (const auto& row : partials)
    for (const init::Partial& partial : row) highest = std::max(highest, partial.order);
  return highest;
}

}  // namespace

class DerivativeArray::Work {
 public:
  Work(expr::Graph& graph, std::span<const NodeId> residuals, std::vector<int> times,
       Entries entries)
      : graph_(graph),
        residuals_(expr::expand_derivatives(graph, residuals)),
        partials_(init::partials_of(graph, residuals_)),
        times_(std::move(times)),
        entries_(entries),
        num_unknowns_(static_cast<int>(graph.num_unknowns())),
        most_times_(times_.empty() ? 0 : *std::max_element(times_.begin(), times_.end())),
        highest_order_(most_times_ + highest_of(partials_)) {
    DAEDAL_CHECK(times_.size() == residuals_.size());
    for (int k = 0; k <= most_times_; ++k)
      for (std::size_t i = 0; i < times_.size(); ++i)
        if (k <= times_[i]) rows_.push_back({static_cast<int>(i), k});
    lay_out_jacobian();
    values_.resize(rows_.size());
    residual_series_ = std::make_unique<init::SeriesOf>(graph, residuals_, most_times_);
    std::vector<NodeId> all = residuals_;
    for (const auto& row : partials_)
      for (const init::Partial& partial : row) all.push_back(partial.value);
    all_series_ = std::make_unique<init::SeriesOf>(graph, all, most_times_);
  }

  void evaluate(const ArrayPoint& point) {
    residual_series_->run(series_point(point));
    last_ = residual_series_.get();
    read_values();
  }

  void linearise(const ArrayPoint& point) {
    all_series_->run(series_point(point));
    last_ = all_series_.get();
    read_values();
    std::fill(jacobian_.values.begin(), jacobian_.values.end(), 0.0);
    for (const Term& term : terms_)
      jacobian_.values[term.entry] += term.factor * last_->coefficient(term.node, term.order);
  }

  // d(f)_k/d(x_j)_m = sum_q (df/dx_j^(q))_{k-m+q} m!/(m-q)!, rule C3; times k!/m! for derivatives.
  void lay_out_jacobian() {
    for (const auto [i, k] : rows_) {
      std::map<int, std::vector<Term>> terms_of_column;
      for (const init::Partial& partial : partials_[i])
        for (int s = 0; s <= (graph_.varies(partial.value) ? k : 0); ++s) {
          const int m = k - s + partial.order;
          double factor = init::falling_factorial(m, partial.order);
          if (entries_ == Entries::derivatives)
            factor *= taylor::factorial(k) / taylor::factorial(m);
          terms_of_column[column(partial.unknown, m)].push_back({0, partial.value, s, factor});
        }
      for (const auto& [column, terms] : terms_of_column) {
        for (Term term : terms) {
          term.entry = static_cast<int>(jacobian_.columns.size());
          terms_.push_back(term);
        }
        jacobian_.columns.push_back(column);
      }
      jacobian_.starts.push_back(static_cast<int>(jacobian_.columns.size()));
    }
    jacobian_.values.resize(jacobian_.columns.size());
  }

  int column(int unknown, int order) const { return order * num_unknowns_ + unknown; }

  taylor::SeriesPoint series_point(const ArrayPoint& point) const {
    const auto derivative = [this, values = point.values](expr::UnknownId j, int order) {
      const double value = values[column(static_cast<int>(j.index()), order)];
      return entries_ == Entries::derivatives ? value : value * taylor::factorial(order);
    };
    return {point.time, point.parameters, derivative};
  }

  void read_values() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const auto [i, k] = rows_[row];
      values_[row] = last_->coefficient(residuals_[i], k);
      if (entries_ == Entries::derivatives) values_[row] *= taylor::factorial(k);
    }
  }

  expr::Graph& graph_;
  std::vector<NodeId> residuals_;
  std::vector<std::vector<init::Partial>> partials_;
  std::vector<int> times_;
  Entries entries_;
  int num_unknowns_, most_times_, highest_order_;
  std::vector<Place> rows_;
  std::vector<Term> terms_;
  std::vector<double> values_;
  SparseRows jacobian_;
  std::unique_ptr<init::SeriesOf> residual_series_, all_series_;
  const init::SeriesOf* last_ = nullptr;
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
std::vector<NodeId> DerivativeArray::undefined_operations() const {
  return work_->last_ ? work_->last_->undefined_operations() : std::vector<NodeId>{};
}

}  // namespace daedal::reduce
