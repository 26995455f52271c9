#include "explain/stop_reason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/wording.hpp"
#include "expr/partial.hpp"
#include "expr/print.hpp"
#include "taylor/block_jacobian.hpp"
#include "taylor/domain_boundary.hpp"

namespace daedal::explain {
namespace {

using taylor::StageFailure;

std::string after_steps(long num_steps) {
  return num_steps == 0 ? "at the start" : "after " + base::plural(num_steps, "accepted step");
}

// When a limit was reached: limits are compared before the first step, too.
std::string steps_before(long num_steps) {
  return num_steps == 0 ? "before the first step" : "after " + base::plural(num_steps, "step");
}

constexpr double megabyte = 1e6;

std::string place_of(const plan::Plan& plan, expr::NodeId node, long num_steps) {
  const expr::SourcePosition at = plan.equations.graph->position(node);
  const model::Place place{plan.model.place.file, at.line, at.column};
  return fmt::format("{}, {}", place.text(), after_steps(num_steps));
}

// Whether highest derivatives have factors in a block's equations that can vanish: an unknown or
// time in them.
bool has_varying_leads(const plan::Plan& plan, const structure::Block& block, expr::Graph& graph) {
  for (const int i : block.equations) {
    std::vector<expr::NodeId> leads;
    for (const int j : block.unknowns) {
      const int order = plan.structure.d[j] - plan.structure.c[i];
      const expr::NodeId unknown = graph.node(expr::UnknownId(static_cast<std::size_t>(j)));
      if (order >= 0) leads.push_back(order > 0 ? graph.diff(unknown, order) : unknown);
    }
    const expr::NodeId root = plan.equations.roots[static_cast<std::size_t>(i)];
    const expr::NodeId residual = expr::expand_derivatives(graph, {&root, 1})[0];
    for (const expr::NodeId factor : expr::gradient(graph, residual, leads))
      if (graph.varies(factor)) return true;
  }
  return false;
}

class Explanation {
 public:
  Explanation(const plan::Plan& plan, integrate::TaylorRun& run, long num_steps, bool has_begun)
      : plan_(plan), run_(run), num_steps_(num_steps), has_begun_(has_begun) {}

  StopReason stop() const {
    const taylor::StageReport failure = run_.failure();
    if (const expr::NodeId node = run_.chattering(); node.is_set()) return chatters(node);
    const expr::NodeId undefined =
        failure.failure == StageFailure::not_finite
            ? run_.series().undefined_operation(failure.stage, run_.lane())
            : expr::NodeId();
    if (has_begun_) {
      run_.restore();
      if (run_.progress().is_hopeless() && !boundary_reached())
        return explain_creeping(run_.progress(), run_.t(), after());
      if (const auto boundary = boundary_reached())
        return left_domain(boundary->node, boundary->text);
    }
    if (undefined.is_set()) return left_domain(undefined, "its value is not a finite number");
    if (failure.failure == StageFailure::singular) return singular(failure.block);
    if (const int unknown = growing_unknown(); unknown >= 0) return blow_up(unknown);
    if (const int unknown = steep_unknown(); unknown >= 0) return steep(unknown);
    return floor();
  }

  StopReason lost(int block) const {
    return {
        Status::singular_point,
        {.id = "S-INT-001",
         .what = fmt::format("the equations are singular near {}", when()),
         .where =
             fmt::format("block {{{}}}, {}: {}", names_of(block), after(), equations_of(block)),
         .why = "the determinant of the block's Jacobian changes its sign at every other step: the "
                "steps jump between branches that meet here",
         .todo = "ask for a smaller tolerance to see where the solution ends, and end the run "
                 "before"}};
  }

 private:
  std::string after() const { return after_steps(num_steps_); }
  std::string when() const { return fmt::format("t = {:.17g}", run_.t()); }

  std::string names_of(int block) const {
    const auto& unknowns = plan_.structure.fine_blocks[block].unknowns;
    return base::listed(unknowns.size(), [&](std::size_t k) {
      return plan_.model.label(model::UnknownId(static_cast<std::size_t>(unknowns[k])));
    });
  }
  std::string equations_of(int block) const {
    const auto& equations = plan_.structure.fine_blocks[block].equations;
    return base::listed(equations.size(), [&](std::size_t k) {
      return plan_.model.place_of(model::EquationId(equations[k]));
    });
  }

  StopReason left_domain(expr::NodeId node, const std::string& why) const {
    return explain_edge(plan_, {node, why}, run_.t(), num_steps_);
  }

  // What is nearer than this ends the last possible step.
  double reach() const {
    return 1e-9 * std::max(std::abs(run_.t()), std::abs(run_.end() - run_.t()));
  }

  // The operation that reaches the edge of its domain within the last possible step.
  std::optional<taylor::DomainBoundary> boundary_reached() const {
    auto nearest = taylor::nearest_domain_boundary(run_.series(), run_.lane());
    if (!nearest || (nearest->distance > reach() && !nearest->is_there)) return std::nullopt;
    return nearest;
  }

  StopReason singular(int block) const {
    return {
        Status::singular_point,
        {.id = "S-INT-001",
         .what = fmt::format("the equations are singular at {}", when()),
         .where =
             fmt::format("block {{{}}}, {}: {}", names_of(block), after(), equations_of(block)),
         .why = "here the equations do not determine the highest derivatives of these unknowns: "
                "the block's Jacobian has no inverse",
         .todo = num_steps_ == 0
                     ? "start elsewhere: these values make an equation lose its leading term"
                     : "end the run before this time, or look at what vanishes here"}};
  }

  static constexpr double large = 1e6;

  // An unknown far larger than any model of reasonable units has.
  int growing_unknown() const {
    int found = -1;
    double most = large;
    for (int j = 0; j < static_cast<int>(plan_.size()); ++j) {
      const double size = std::abs(run_.derivative(j, 0));
      if (size <= most) continue;
      most = size;
      found = j;
    }
    return found;
  }

  // The highest derivative that the equations determine, or the first.
  int watched_order(int unknown) const { return std::max(run_.shape().local_orders[unknown], 1); }

  // An unknown that stays bounded while its highest derivative does not.
  int steep_unknown() const {
    for (int j = 0; j < static_cast<int>(plan_.size()); ++j) {
      const double size = 1.0 + std::abs(run_.derivative(j, 0));
      if (std::abs(run_.derivative(j, watched_order(j))) > large * size) return j;
    }
    return -1;
  }

  StopReason steep(int unknown) const {
    const int order = watched_order(unknown);
    const int block = block_of(unknown);
    const std::unique_ptr<expr::Graph> graph = plan_.equations.graph->copy();
    if (std::ranges::none_of(plan_.structure.fine_blocks, [&](const structure::Block& some) {
          return has_varying_leads(plan_, some, *graph);
        }))
      return blow_up(unknown, order);
    return {
        Status::singular_point,
        {.id = "S-INT-001",
         .what = fmt::format("the equations become singular at {}", when()),
         .where =
             fmt::format("block {{{}}}, {}: {}", names_of(block), after(), equations_of(block)),
         .why = fmt::format("{} has grown to {:.3g} while '{}' is {:.3g}: what multiplies the "
                            "highest derivatives vanishes here",
                            model::derivative_name(plan_.model.variables[unknown].name, order),
                            run_.derivative(unknown, order), plan_.model.variables[unknown].name,
                            run_.derivative(unknown, 0)),
         .todo = "end the run before this time, choose unknowns that stay regular here, or follow "
                 "the curve by its arc length if it turns back"}};
  }

  int block_of(int unknown) const {
    for (std::size_t b = 0; b < plan_.structure.fine_blocks.size(); ++b)
      for (const int j : plan_.structure.fine_blocks[b].unknowns)
        if (j == unknown) return static_cast<int>(b);
    return -1;
  }

  StopReason blow_up(int unknown, int order = 0) const {
    const double direction = run_.end() > run_.t() ? 1.0 : -1.0;
    const double pole = run_.t() + direction * run_.radius();
    return {
        Status::blow_up,
        {.id = "S-INT-004",
         .what = fmt::format("the solution blows up near t = {:.15g}", pole),
         .where = fmt::format("'{}' at {}, {}",
                              model::derivative_name(plan_.model.variables[unknown].name, order),
                              when(), after()),
         .why = fmt::format("it has reached {:.6g} and the radius of convergence of its series "
                            "is down to {:.3g}",
                            run_.derivative(unknown, order), run_.radius()),
         .todo = "end the run before this time; if the model should have no pole here, check "
                 "its signs"}};
  }

  StopReason chatters(expr::NodeId node) const {
    return {
        Status::step_floor,
        {.id = "S-INT-003",
         .what = fmt::format("the step size reached its floor at {}: `{}` switches back and forth",
                             when(), expr::to_text(*plan_.equations.graph, node)),
         .where = place_of(plan_, node, num_steps_),
         .why = "on either side of the switch the solution is driven back to the other",
         .todo = "smooth the switch, such as tanh(x/1e-3) in place of sign(x), or write an "
                 "equation for the state in between"}};
  }

  // Derivatives of high order, found by differentiating others, have lost their digits.
  StopReason rounding(double noise) const {
    return {Status::step_floor,
            {.id = "S-INT-003",
             .what = fmt::format("the step size reached its floor at {}", when()),
             .where = worst_and_after(),
             .why = fmt::format("rounding errors are larger than the tolerance: solved for again "
                                "at times already passed, values differ by {:.2g} tolerances",
                                noise),
             .todo = "ask for a tolerance that is larger by this factor and some more; scale the "
                     "model, or write it with fewer differentiations"}};
  }

  std::string worst_and_after() const {
    const int worst = run_.worst_unknown();
    if (worst < 0) return after();
    return fmt::format("'{}', {}", plan_.model.variables[worst].name, after());
  }

  // A block whose determinant has another sign just ahead, where the series still show it. -1 if
  // there is none.
  int vanishing_block() const {
    const taylor::SeriesSolver& series = run_.series();
    const solution::StepView step = run_.current();
    const double ahead = run_.t() + std::copysign(reach(), run_.end() - run_.t());
    for (int b = 0; b < series.num_blocks(); ++b) {
      if (series.has_constant_jacobian(b)) continue;
      const int sign = taylor::BlockJacobian(series, b, run_.lane())
                           .determinant_sign(ahead, [&](int unknown, int order) {
                             return step.value(run_.shape().layout, unknown, ahead, order);
                           });
      if (sign != series.determinant_sign(b, run_.lane())) return b;
    }
    return -1;
  }

  StopReason floor() const {
    if (has_begun_) {
      if (const int block = vanishing_block(); block >= 0) return singular(block);
      const double noise = run_.noise_behind();
      run_.restore();
      if (noise > 1.0) return rounding(noise);
    }
    return {
        has_begun_ ? Status::step_floor : Status::no_consistent_point,
        {.id = "S-INT-003",
         .what = fmt::format("the step size reached its floor at {}", when()),
         .where = worst_and_after(),
         .why = run_.failure().ok()
                    ? "even the shortest step that changes t ends too far from its prediction: "
                      "the solution jumps or has a kink here"
                    : "Newton's method finds no solution after even the shortest step: a branch "
                      "of the solution may end here",
         .todo = "look at what happens at this time; a larger tolerance may help if the "
                 "solution is rough but continuous"}};
  }

  const plan::Plan& plan_;
  integrate::TaylorRun& run_;
  long num_steps_;
  bool has_begun_;
};

}  // namespace

StopReason explain_edge(const plan::Plan& plan, const NearEdge& edge, double t, long num_steps) {
  const expr::Graph& graph = *plan.equations.graph;
  return {Status::left_domain,
          {.id = "S-INT-002",
           .what = fmt::format("`{}` left its domain at t = {:.17g}",
                               expr::to_text(graph, edge.node), t),
           .where = place_of(plan, edge.node, num_steps),
           .why = edge.text,
           .todo = how_to_stay_inside(graph, edge.node)}};
}

StopReason explain_creeping(const integrate::Progress& progress, double t,
                            const std::string& where) {
  const double covered = progress.covered();
  return {
      Status::step_floor,
      {.id = "S-INT-003",
       .what = fmt::format("the steps do not get on from t = {:.17g}", t),
       .where = where,
       .why = fmt::format("the last {} steps, each of them accepted, together are {:.1e} long, "
                          "which is {:.1e} of the run: all of it would take 10^12 or more",
                          integrate::Progress::many, covered, covered / progress.duration()),
       .todo = "if the model is stiff ask for the method bdf or dd-ida; if something oscillates "
               "or vanishes here, end the run before, or write the model without it"}};
}

StopReason explain_no_series(const plan::Plan& plan, integrate::TaylorRun& run) {
  return Explanation(plan, run, 0, false).stop();
}

StopReason explain_stop(const plan::Plan& plan, integrate::TaylorRun& run, long num_steps) {
  return Explanation(plan, run, num_steps, true).stop();
}

StopReason explain_lost_block(const plan::Plan& plan, integrate::TaylorRun& run, long num_steps,
                              int block) {
  return Explanation(plan, run, num_steps, true).lost(block);
}

std::optional<StopReason> explain_lost_equations(const plan::Plan& plan,
                                                 const settings::Settings& settings, double t,
                                                 const Statistics& statistics) {
  // The largest residual that is no reason to stop, as a part of the size of the equation's terms.
  // A start satisfies equations to rounding, later points to some tolerances, and points near
  // singular ones to more.
  constexpr double at_start = 1e-6;
  const double largest =
      statistics.steps == 0 ? at_start : std::clamp(1e3 * settings.tolerance, 1e-3, 0.5);
  if (!(statistics.original_residual > largest)) return std::nullopt;
  return StopReason{
      Status::structural_analysis_fails,
      {.id = "S-STR-003",
       .what =
           fmt::format("the converted model does not solve the equations as written at t = {}", t),
       .where = fmt::format("{}, after {}", plan.model.place.text(),
                            base::plural(statistics.steps, "accepted step")),
       .why = fmt::format("structural analysis fails on the model, an equivalent one was solved "
                          "instead, and its solution misses an equation by {:.2g} of its terms",
                          statistics.original_residual),
       .todo = "use the method array, which works on the equations as they are, or give start "
               "values that satisfy them"}};
}

StopReason explain_tolerance(const settings::Settings& settings) {
  return {Status::tolerance_below_rounding,
          {.id = "S-INT-005",
           .what = fmt::format("the tolerance {} is below rounding", settings.tolerance),
           .where = "option tolerance",
           .why = fmt::format("numbers have a relative precision of {:.2g}; no step of this "
                              "method can be told right or wrong below {}",
                              std::numeric_limits<double>::epsilon(), settings.smallest_tolerance),
           .todo = fmt::format("ask for {} or more; taylor at 1e-13 usually gives all digits there "
                               "are",
                               settings.smallest_tolerance)}};
}

StopReason explain_interruption(double t, long num_steps) {
  return {Status::interrupted,
          {.id = "S-INT-006",
           .what = fmt::format("interrupted at t = {}", t),
           .where = "after " + base::plural(num_steps, "accepted step"),
           .why = "the caller asked to stop",
           .todo = "what was computed until here is kept"}};
}

StopReason explain_step_limit(double t, long num_steps) {
  return {Status::too_many_steps,
          {.id = "S-INT-007",
           .what = fmt::format("the limit of {} steps was reached at t = {}", num_steps, t),
           .where = "option max_steps",
           .why = "the run needs more steps than allowed",
           .todo = "raise max_steps, or end the run earlier"}};
}

StopReason explain_time_limit(const settings::Settings& settings, const SolveOptions& options,
                              double t, long num_steps) {
  return {Status::out_of_time,
          {.id = "S-LIM-001",
           .what = fmt::format("the time allowed was over at t = {}", t),
           .where = fmt::format("option max_seconds, {}", steps_before(num_steps)),
           .why = fmt::format("the run has taken {:.3g} of {} s; t was to reach {}",
                              settings.seconds_since_start(), options.max_seconds, settings.to),
           .todo = "raise max_seconds, end the run earlier, or ask for a larger tolerance"}};
}

StopReason explain_memory_limit(const settings::Settings& settings, const SolveOptions& options,
                                double t, long num_steps, double resident) {
  const bool keeps_steps = options.keep_steps && num_steps > 0;
  return {Status::out_of_memory,
          {.id = "S-LIM-002",
           .what = fmt::format("the memory allowed was used up at t = {}", t),
           .where = fmt::format("option max_memory, {}", steps_before(num_steps)),
           .why = fmt::format("the process holds {:.0f} MB; the limit is {:.0f} MB{}",
                              resident / megabyte, settings.max_memory / megabyte,
                              options.max_memory ? "" : ", 80 % of the machine's"),
           .todo = keeps_steps ? "keep fewer steps: leave out plots and reports of the whole run, "
                                 "write rows to a file, end the run earlier, or raise max_memory"
                               : "make the model smaller, or raise max_memory"}};
}

}  // namespace daedal::explain
