#include "run/edge_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/wording.hpp"
#include "explain/domain_edge.hpp"
#include "expr/graph.hpp"
#include "run/steppers/series_engine.hpp"

namespace daedal::run {
namespace {

// A minimum inside a step that is this part of the distances at its ends may be an edge.
constexpr double as_good_as_there = 1e-4;
// An end of a step that is this part of the largest distance met may be one.
constexpr double very_near = 1e-12;
// Two methods whose errors add up over a step, or that differentiate its polynomials, are not as
// far apart as this unless one of them is wrong.
constexpr double tolerances_apart = 1000.0;
// How far apart, in tolerances, a step and the Taylor method from the same point may be unless one
// of them is wrong; and values inside a step and the equations solved there, a comparison that only
// finds out whether it is worth while to ask the Taylor method.
constexpr double tolerances_of_a_step = 30.0, tolerances_inside = 10.0;

// By slot, whether it varies with the solution or time. Arguments must stand before their users.
std::vector<bool> varying_slots(const taylor::Tape& tape) {
  std::vector<bool> varies(tape.entries().size(), false);
  for (std::size_t slot = 0; slot < varies.size(); ++slot) {
    const taylor::TapeEntry& entry = tape.entries()[slot];
    switch (entry.instruction) {
      case taylor::Instruction::time:
      case taylor::Instruction::unknown:
      case taylor::Instruction::derivative: varies[slot] = true; break;
      default:
        tape.for_each_value_argument(entry, [&](std::uint32_t argument) {
          varies[slot] = varies[slot] || varies[argument];
        });
    }
  }
  return varies;
}

}  // namespace

EdgeWatch::EdgeWatch(plan::Plan& plan, const settings::Settings& settings, Branches branches)
    : plan_(plan), settings_(settings), graph_(plan.equations.graph->copy()) {
  for (const expr::NodeId node : expr::reachable(*graph_, plan.residuals())) {
    for (const double value : explain::edges_of(*graph_, node))
      add(explain::critical_argument(*graph_, node), value, false);
    if (branches == Branches::noticed || !expr::is_piecewise(graph_->op(node))) continue;
    const std::vector<expr::NodeId> arguments(graph_->arguments(node).begin(),
                                              graph_->arguments(node).end());
    if (arguments.size() <= 2)  // not select, which needs modes
      add(arguments.size() == 1 ? arguments[0] : graph_->subtract(arguments[0], arguments[1]), 0.0,
          true);
  }
  const auto residuals = plan_.residuals();
  arguments_.insert(arguments_.end(), residuals.begin(), residuals.end());
  tape_ = std::make_unique<taylor::Tape>(*graph_, arguments_, 0);
  features_.emplace(*tape_, varying_slots(*tape_));
  interpreter_ = std::make_unique<taylor::Interpreter>(*tape_);
  prepare_ranges();
}

// The tape has arguments before their users, but for the series of derivatives that functions need
// from order 1 on, which have no part in values.
void EdgeWatch::prepare_ranges() {
  using taylor::Instruction;
  const auto entries = tape_->entries();
  std::vector<bool> is_needed(entries.size(), false);
  for (const Edge& edge : edges_) is_needed[tape_->slot(edge.argument)] = true;
  for (const std::uint32_t slot : features_->operations()) is_needed[slot] = true;
  for (std::size_t slot = entries.size(); slot-- > 0;) {
    if (!is_needed[slot]) continue;
    tape_->for_each_value_argument(entries[slot], [&](std::uint32_t a) { is_needed[a] = true; });
    if (entries[slot].instruction != Instruction::affine) continue;
    for (const std::uint32_t factor : tape_->factors(entries[slot]))
      if (factor != taylor::no_slot) is_needed[factor] = true;
  }
  std::vector<std::uint32_t> evaluated, parameters, constants;
  for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
    if (!is_needed[slot]) continue;
    const taylor::TapeEntry& entry = entries[slot];
    switch (entry.instruction) {
      case Instruction::unknown: leaves_.push_back({slot, static_cast<int>(entry.index), 0}); break;
      case Instruction::derivative:
        leaves_.push_back({slot, static_cast<int>(entry.index), static_cast<int>(entry.number)});
        break;
      case Instruction::constant: constants.push_back(slot); break;
      case Instruction::parameter: parameters.push_back(slot); break;
      default: evaluated.push_back(slot);
    }
  }
  ranges_ = std::make_unique<taylor::TapeRanges>(*tape_, std::move(evaluated));
  for (const std::uint32_t slot : constants)
    ranges_->set(slot, {entries[slot].number, entries[slot].number});
  for (const std::uint32_t slot : parameters) {
    const double value = plan_.parameters[entries[slot].index];
    ranges_->set(slot, {value, value});
  }
}

// Bounds of all operations over the whole step.
void EdgeWatch::find_ranges(const solution::StepView& step, const solution::StepLayout& layout) {
  const double s = std::abs((step.end - step.begin) / step.scale);
  for (const Leaf& leaf : leaves_) {
    const solution::Polynomial p = step.polynomial(layout, leaf.unknown);
    double factor = 1.0;  // order!/scale^order
    for (int k = 1; k <= leaf.order; ++k) factor *= k / step.scale;
    const double motion = std::abs(factor) * solution::largest_motion(p, leaf.order, s);
    const double value = leaf.order < p.size() ? factor * p[leaf.order] : 0.0;
    ranges_->set(leaf.slot, {value - motion, value + motion});
  }
  ranges_->evaluate(step.begin, step.end);
}

// One that this calls far from its edge would be found inside by the values along the step, too.
bool EdgeWatch::is_far_from_edges() {
  const auto distance_of = [&](const Edge& edge) {
    const expr::Range range = ranges_->of(tape_->slot(edge.argument));
    return expr::Range{range.low - edge.value, range.high - edge.value};
  };
  if (!std::ranges::all_of(edges_,
                           [&](const Edge& edge) { return is_far(edge, distance_of(edge)); }))
    return false;
  for (Edge& edge : edges_) {
    const expr::Range distance = distance_of(edge);
    edge.largest = std::max(edge.largest, std::abs(0.5 * (distance.low + distance.high)));
  }
  return true;
}

bool EdgeWatch::is_far(const Edge& edge, expr::Range distance) {
  if (!std::isfinite(distance.low) || !std::isfinite(distance.high) || distance.has_zero())
    return false;
  if (edge.is_branch) return true;
  const double a = std::abs(distance.low), b = std::abs(distance.high);
  return std::min(a, b) > as_good_as_there * std::max(a, b) &&
         std::min(a, b) > very_near * edge.largest;
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

std::optional<explain::StopReason> EdgeWatch::look(const solution::StepSource& run, double horizon,
                                                   long num_steps) {
  if (edges_.empty() && features_->operations().empty()) return std::nullopt;
  find_ranges(run.accepted(), run.layout());
  auto reason = look_at_edges(run, horizon, num_steps);
  return reason ? reason : look_at_features(run, num_steps);
}

// The values of the model's unknowns, which come first: a first-order form has more.
std::vector<std::vector<double>> EdgeWatch::values_at(const solution::StepSource& run,
                                                      double t) const {
  std::vector<std::vector<double>> values(plan_.size());
  for (int j = 0; j < static_cast<int>(values.size()); ++j)
    for (int order = 0; order <= std::min(run.layout().degree(j), run.highest_reliable(j)); ++order)
      values[j].push_back(run.accepted().value(run.layout(), j, t, order));
  return values;
}

// Whether the Taylor method comes to the same point from the begin of the step.
bool EdgeWatch::series_agree(const solution::StepSource& run, double t, long num_steps) {
  const double begin = run.accepted().begin;
  const auto opinion = ask_series(plan_, settings_, begin, t, values_at(run, begin), num_steps);
  return opinion && opinion->reason.status == Status::ok &&
         agrees(run, t, opinion->values, tolerances_of_a_step);
}

// Where the Taylor method goes the same way nothing that matters was passed.
std::optional<explain::StopReason> EdgeWatch::look_at_features(const solution::StepSource& run,
                                                               long num_steps) {
  const solution::StepView step = run.accepted();
  if (passed_at_ && (*passed_at_ - step.begin) * (step.end - *passed_at_) >= 0.0) {
    if (!series_agree(run, step.end, num_steps)) {
      has_passed_feature_ = true;
      return passes_over(Finding::feature, step, num_steps);
    }
    passed_at_.reset();
    return std::nullopt;
  }
  if (!features_->may_be_any(*ranges_, settings_.tolerance)) return std::nullopt;
  step_ = &step;
  layout_ = &run.layout();
  const auto time_at = [&](double part) { return step.begin + part * (step.end - step.begin); };
  const auto places = features_->places(
      *interpreter_, [&](double part) { evaluate_at(time_at(part)); }, settings_.tolerance);
  const auto wrong =
      std::ranges::find_if_not(places, [&](double part) { return holds_at(run, time_at(part)); });
  if (wrong == places.end() ||
      (series_agree(run, time_at(*wrong), num_steps) && series_agree(run, step.end, num_steps)))
    return std::nullopt;
  has_passed_feature_ = true;
  passed_at_ = time_at(*wrong);
  return passes_over(Finding::feature, step, num_steps);
}

// Whether the equations, solved inside the step, agree with its polynomials: with the highest
// derivatives, to what they contribute in the step. Nothing is known without series.
bool EdgeWatch::holds_at(const solution::StepSource& run, double t) {
  if (!plan_.regularity.singular.empty()) return true;
  if (!series_) series_.emplace(make_short_series(plan_, settings_));
  const auto values = values_at(run, t);
  if (!series_->begin(t, settings_.to, values)) return false;
  const std::vector<double> nominals = plan_.nominals();
  const double h = std::abs(run.accepted().end - run.accepted().begin);
  for (int j = 0; j < static_cast<int>(values.size()); ++j) {
    const double allowed =
        tolerances_inside * settings_.tolerance * (nominals[j] + std::abs(values[j][0]));
    double factor = 1.0;  // h^order/order!
    for (std::size_t order = 0; order < values[j].size(); ++order) {
      const auto n = static_cast<int>(order);
      if (n > series_->run().shape().local_orders[j]) break;
      const double found = series_->run().derivative(j, n);
      if (!(factor * std::abs(found - values[j][order]) <= allowed)) return false;
      factor *= h / (n + 1);
    }
  }
  return true;
}

std::optional<explain::StopReason> EdgeWatch::look_at_edges(const solution::StepSource& run,
                                                            double horizon, long num_steps) {
  const solution::StepView step = run.accepted();
  if (edges_.empty() || is_far_from_edges()) return std::nullopt;
  const Finding found = finding(step, run.layout());
  if (found == Finding::inside || (found == Finding::near && num_steps < next_question_))
    return std::nullopt;
  const auto values = values_at(run, step.begin);
  const double end = found == Finding::near ? horizon : step.end;
  auto opinion = ask_series(plan_, settings_, step.begin, end, values, num_steps);
  const bool is_end = opinion && opinion->reason.status != Status::ok;
  if (!is_end && found != Finding::near && opinion &&
      !agrees(run, step.end, opinion->values, tolerances_apart))
    return passes_over(found, step, num_steps);
  if (!is_end) {
    next_question_ = num_steps + patience_;
    patience_ *= 2;
    return std::nullopt;
  }
  const bool is_in_step = std::abs(opinion->t - step.begin) <= std::abs(step.end - step.begin);
  opinion->reason.cut_at = !is_in_step ? step.end
                           : agrees(run, opinion->t, opinion->values, tolerances_apart)
                               ? opinion->t
                               : step.begin;
  return opinion->reason;
}

// The method has made a step over something that it did not see.
explain::StopReason EdgeWatch::passes_over(Finding found, const solution::StepView& step,
                                           long num_steps) const {
  return {
      .status = Status::step_floor,
      .problem =
          {.id = "S-INT-003",
           .what = fmt::format(
               "the method has stepped over what happens between t = {:.10g} and {:.10g}",
               step.begin, step.end),
           .where = fmt::format("{}, after {}", plan_.model.place.text(),
                                base::plural(num_steps - 1, "accepted step")),
           .why =
               found == Finding::feature ? "an operation of the model does something between these "
                                           "times that is over at the "
                                           "end of the step, or begins inside it; the Taylor "
                                           "method, which follows it, comes "
                                           "to another point"
               : found == Finding::switched
                   ? "abs, sign, min or max goes over to another branch there, which the method "
                     "does "
                     "not see; the Taylor method comes to another point"
                   : "the argument of a root, a logarithm or a quotient comes near the edge of its "
                     "domain and turns back; short steps of the Taylor method lead to another "
                     "point",
           .todo = "ask for the method taylor, or limit the step with max_step"},
      .cut_at = step.begin,
      .is_passed_over = true};
}

// A polynomial that passes a pole is wrong before it.
bool EdgeWatch::agrees(const solution::StepSource& run, double t, const std::vector<double>& values,
                       double tolerances) const {
  const std::vector<double> nominals = plan_.nominals();
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double here = run.accepted().value(run.layout(), static_cast<int>(j), t);
    const double size = nominals[j] + std::abs(values[j]);
    if (!(std::abs(here - values[j]) <= tolerances * settings_.tolerance * size)) return false;
  }
  return true;
}

}  // namespace daedal::run
