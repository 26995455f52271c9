#include "solve/edge_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/wording.hpp"
#include "expr/reachable.hpp"
#include "solve/domain_edge.hpp"

namespace daedal::solving {
namespace {

// A minimum inside a step that is this part of the distances at its ends may be an edge.
constexpr double as_good_as_there = 1e-4;
// The same for the end of a step, as a part of the largest distance met.
constexpr double very_near = 1e-12;

}  // namespace

EdgeWatch::EdgeWatch(Plan& plan, const Settings& settings, Branches branches)
    : plan_(plan), settings_(settings), graph_(plan.equations.graph->copy()) {
  for (const expr::NodeId node : expr::reachable(*graph_, plan.residuals())) {
    for (const double value : edges_of(*graph_, node))
      add(critical_argument(*graph_, node), value, false);
    if (branches == Branches::noticed || !expr::is_piecewise(graph_->op(node))) continue;
    const std::vector<expr::NodeId> arguments(graph_->arguments(node).begin(),
                                              graph_->arguments(node).end());
    if (arguments.size() <= 2)  // not select, which needs modes
      add(arguments.size() == 1 ? arguments[0] : graph_->subtract(arguments[0], arguments[1]), 0.0,
          true);
  }
  if (edges_.empty()) return;
  tape_ = std::make_unique<taylor::Tape>(*graph_, arguments_, 0);
  interpreter_ = std::make_unique<taylor::Interpreter>(*tape_);
}

void EdgeWatch::add(expr::NodeId argument, double value, bool is_branch) {
  if (!graph_->varies(argument)) return;
  edges_.push_back({.argument = argument, .value = value, .is_branch = is_branch});
  arguments_.push_back(argument);
}

void EdgeWatch::evaluate_at(double t) {
  interpreter_->run({.time = t,
                     .parameters = plan_.parameters,
                     .derivative = [&](expr::UnknownId unknown, int order) {
                       return step_->value(*layout_, static_cast<int>(unknown.index()), t, order);
                     }});
}

double EdgeWatch::distance_at(const Edge& edge, double t) {
  evaluate_at(t);
  return interpreter_->coefficient(edge.argument) - edge.value;
}

// By golden sections around the smallest of the values inside.
bool EdgeWatch::dips_to_edge(const Edge& edge, double begin, double end) {
  const auto& distances = edge.distances;
  constexpr double golden = 0.6180339887498949;
  constexpr int most_sections = 40;
  const auto size = [](double distance) { return std::abs(distance); };
  const auto least = std::min_element(distances.begin() + 1, distances.end() - 1,
                                      [&](double a, double b) { return size(a) < size(b); });
  const double ends = std::min(size(distances.front()), size(distances.back()));
  if (!(size(*least) < ends)) return false;
  const auto at = static_cast<double>(least - distances.begin());
  const double length = (end - begin) / (num_inside + 1);
  double a = begin + (at - 1) * length, b = begin + (at + 1) * length;
  double smallest = size(*least);
  for (int n = 0; n < most_sections && smallest > as_good_as_there * ends; ++n) {
    const double left = b - golden * (b - a), right = a + golden * (b - a);
    const double at_left = size(distance_at(edge, left)), at_right = size(distance_at(edge, right));
    smallest = std::min({smallest, at_left, at_right});
    (at_left < at_right ? b : a) = at_left < at_right ? right : left;
  }
  return smallest <= as_good_as_there * ends;
}

EdgeWatch::Finding EdgeWatch::finding(const solution::StepView& step,
                                      const solution::StepLayout& layout) {
  step_ = &step;
  layout_ = &layout;
  for (int n = 0; n <= num_inside + 1; ++n) {
    evaluate_at(step.begin + (step.end - step.begin) * n / (num_inside + 1));
    for (Edge& edge : edges_)
      edge.distances[n] = interpreter_->coefficient(edge.argument) - edge.value;
  }
  Finding result = Finding::inside;
  for (Edge& edge : edges_) {
    const Finding found = finding(edge, step);
    edge.largest =
        std::max({edge.largest, std::abs(edge.distances.front()), std::abs(edge.distances.back())});
    if (found == Finding::passed) return found;
    result = std::max(result, found);
  }
  return result;
}

EdgeWatch::Finding EdgeWatch::finding(const Edge& edge, const solution::StepView& step) {
  const double first = edge.distances.front(), last = edge.distances.back();
  const auto is_beyond = [&](double distance) { return !(first * distance > 0.0); };
  const bool is_crossed = std::any_of(edge.distances.begin() + 1, edge.distances.end(), is_beyond);
  if (edge.is_branch) return is_crossed ? Finding::switched : Finding::inside;
  if (is_crossed || dips_to_edge(edge, step.begin, step.end)) return Finding::passed;
  const double largest = std::max({edge.largest, std::abs(first), std::abs(last)});
  return std::abs(last) <= very_near * largest ? Finding::near : Finding::inside;
}

std::optional<StopReason> EdgeWatch::look(const solution::StepSource& run, double horizon,
                                          long num_steps) {
  if (edges_.empty()) return std::nullopt;
  const solution::StepView step = run.accepted();
  const Finding found = finding(step, run.layout());
  if (found == Finding::inside || (found == Finding::near && num_steps < next_question_))
    return std::nullopt;
  std::vector<std::vector<double>> values(run.layout().column.size());
  for (int j = 0; j < run.layout().num_unknowns(); ++j)
    for (int order = 0; order <= std::min(run.layout().degree(j), run.highest_reliable(j)); ++order)
      values[j].push_back(step.value(run.layout(), j, step.begin, order));
  const double end = found == Finding::near ? horizon : step.end;
  auto opinion = ask_series(plan_, settings_, step.begin, end, values, num_steps);
  const bool is_end = opinion && opinion->reason.status != Status::ok;
  if (!is_end && found != Finding::near && opinion && !agrees(run, step.end, opinion->values))
    return passes_over(found, step, num_steps);
  if (!is_end) {
    next_question_ = num_steps + patience_;
    patience_ *= 2;
    return std::nullopt;
  }
  const bool is_in_step = std::abs(opinion->t - step.begin) <= std::abs(step.end - step.begin);
  opinion->reason.cut_at = !is_in_step                                ? step.end
                           : agrees(run, opinion->t, opinion->values) ? opinion->t
                                                                      : step.begin;
  return opinion->reason;
}

// The method has made a step over something that it did not see.
StopReason EdgeWatch::passes_over(Finding found, const solution::StepView& step,
                                  long num_steps) const {
  return {
      Status::step_floor,
      {.id = "S-INT-003",
       .what =
           fmt::format("the method has stepped over what happens between t = {:.10g} and {:.10g}",
                       step.begin, step.end),
       .where = fmt::format("{}, after {}", plan_.model.place.text(),
                            base::plural(num_steps - 1, "accepted step")),
       .why =
           found == Finding::switched
               ? "abs, sign, min or max goes over to another branch there, which the method does "
                 "not see; the Taylor method comes to another point"
               : "the argument of a root, a logarithm or a quotient comes near the edge of its "
                 "domain and turns back; short steps of the Taylor method lead to another point",
       .todo = "ask for the method taylor, or limit the step with max_step"},
      step.begin};
}

// A polynomial that passes a pole is wrong before it.
bool EdgeWatch::agrees(const solution::StepSource& run, double t,
                       const std::vector<double>& values) const {
  constexpr double tolerances = 1000.0;
  const std::vector<double> nominals = plan_.nominals();
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double here = run.accepted().value(run.layout(), static_cast<int>(j), t);
    const double size = nominals[j] + std::abs(values[j]);
    if (!(std::abs(here - values[j]) <= tolerances * settings_.tolerance * size)) return false;
  }
  return true;
}

void finish(StepRecorder& recorder, const solution::StepSource& run, const StopReason& reason) {
  if (!reason.cut_at) return recorder.finish(run);
  const CutStep cut(run, *reason.cut_at);
  if (cut.t() != run.accepted().begin) recorder.accept(cut);
  recorder.finish(cut);
}

}  // namespace daedal::solving
