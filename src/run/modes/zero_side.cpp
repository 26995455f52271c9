#include "run/modes/zero_side.hpp"

#include <algorithm>
#include <cmath>

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "run/cut_step.hpp"

namespace daedal::run {
namespace {

// A trajectory, with guards that are linear in the solution moved to zero.
class MovedToZero : public solution::StepSource {
 public:
  MovedToZero(const solution::StepSource& run, const Mode& mode, const std::vector<int>& guards)
      : run_(run) {
    expr::Evaluator evaluator(*mode.model().data.graph);
    const expr::Point point{.time = 0.0, .parameters = mode.parameters(), .unknown = {}};
    for (const hybrid::Watch& watch : mode.model().watches)
      if (std::find(guards.begin(), guards.end(), watch.guard) != guards.end())
        add(watch, evaluator, point, mode);
  }

  double t() const override { return run_.t(); }
  solution::StepView accepted() const override { return run_.accepted(); }
  const solution::StepLayout& layout() const override { return run_.layout(); }
  double derivative(int unknown, int order) const override {
    double value = run_.derivative(unknown, order);
    for (const Move& move : moves_)
      if (move.unknown == unknown && move.order == order) value += move.distance;
    return value;
  }
  int highest_reliable(int unknown) const override { return run_.highest_reliable(unknown); }
  int highest_told(int unknown) const override { return run_.highest_told(unknown); }
  solution::StepQuality quality() const override { return run_.quality(); }

 private:
  struct Move {
    int unknown, order;
    double distance;
  };

  // The term that reaches zero by the smallest part of its nominal size moves.
  void add(const hybrid::Watch& watch, expr::Evaluator& evaluator, const expr::Point& point,
           const Mode& mode) {
    double value =
        evaluator.value(watch.constant, point) + evaluator.value(watch.slope, point) * run_.t();
    double most = 0.0, factor_of_most = 0.0;
    Move move{};
    for (const hybrid::Watch::Term& term : watch.terms) {
      if (mode.is_guard(term.unknown)) return;
      const double factor = evaluator.value(term.factor, point);
      value += factor * derivative(term.unknown, term.order);
      const double size = std::abs(factor) * mode.nominal(term.unknown);
      if (size <= most) continue;
      most = size;
      factor_of_most = factor;
      move = {term.unknown, term.order, 0.0};
    }
    if (most == 0.0) return;
    move.distance = -value / factor_of_most;
    moves_.push_back(move);
  }

  const solution::StepSource& run_;
  std::vector<Move> moves_;
};

}  // namespace

ZeroSide::Rows::Rows(const model::ModelData& model, std::size_t num_equations)
    : graph(model.graph->copy()) {
  for (std::size_t i = 0; i < num_equations; ++i) residuals.push_back(model.equations[i].residual);
  residuals = expr::expand_derivatives(*graph, residuals);
}

ZeroSide::ZeroSide(const model::ModelData& model, const Mode& mode, std::vector<int> at_zero)
    : mode_(mode),
      at_zero_(std::move(at_zero)),
      rows_(mode.model().own, model.equations.size()),
      rows_as_written_(model, model.equations.size()) {}

// The sizes of the terms of an equation, where no unknown is smaller than its nominal size.
double ZeroSide::size_of(const Rows& rows, expr::NodeId residual, const expr::Point& point) const {
  const expr::Graph& graph = *rows.graph;
  expr::Evaluator evaluator(graph);
  const auto size = [&](expr::NodeId node) {
    const expr::NodeId leaf = graph.op(node) == expr::Op::diff ? graph.arguments(node)[0] : node;
    const double nominal = graph.op(leaf) == expr::Op::unknown
                               ? mode_.nominal(static_cast<int>(graph.unknown(leaf).index()))
                               : 0.0;
    return std::max(std::abs(evaluator.value(node, point)), nominal);
  };
  if (graph.op(residual) != expr::Op::affine) return size(residual);
  double sum = std::abs(graph.number(residual));
  const auto terms = graph.arguments(residual);
  for (std::size_t k = 0; k < terms.size(); ++k)
    sum += std::abs(graph.coefficients(residual)[k]) * size(terms[k]);
  return sum;
}

bool ZeroSide::agrees(const solution::StepSource& run, double tolerance) const {
  const MovedToZero moved(run, mode_, at_zero_);
  const expr::Point point{.time = run.t(),
                          .parameters = mode_.parameters(),
                          .unknown = [&](expr::UnknownId j, int order) {
                            return moved.derivative(static_cast<int>(j.index()), order);
                          }};
  expr::Evaluator here(*rows_.graph), as_written(*rows_as_written_.graph);
  for (std::size_t i = 0; i < rows_.residuals.size(); ++i) {
    const double difference = as_written.value(rows_as_written_.residuals[i], point) -
                              here.value(rows_.residuals[i], point);
    if (difference == 0.0) continue;
    const double size = size_of(rows_as_written_, rows_as_written_.residuals[i], point);
    if (!(std::abs(difference) <= tolerance * size)) return false;
  }
  return true;
}

bool ZeroSide::agrees_along(const solution::StepSource& run, double tolerance) const {
  constexpr int num_points = 4;
  const solution::StepView step = run.accepted();
  for (int k = 1; k <= num_points; ++k) {
    const double t =
        k == num_points ? step.end : step.begin + (step.end - step.begin) * k / num_points;
    if (!agrees(CutStep(run, t), tolerance)) return false;
  }
  return true;
}

}  // namespace daedal::run
