#include "init/consistent_point.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "base/check.hpp"
#include "expr/graph.hpp"
#include "expr/partial.hpp"
#include "init/homotopy.hpp"
#include "init/independence.hpp"
#include "init/jacobian_condition.hpp"
#include "init/kkt_system.hpp"
#include "init/lost_digits.hpp"
#include "init/nearest_point.hpp"
#include "init/tangent_response.hpp"
#include "structure/signature.hpp"

namespace daedal::init {
namespace {

// Where to begin if the guesses lead nowhere (a Jacobian that vanishes, log(0)): guesses shifted by
// a random fraction of their size, values not given set to `not_given`, or to random values up to
// `spread`. Guesses on the wrong side of a pole or of the edge of a domain are mirrored, or are
// left out; values not given may be of other sizes than 1.
enum class Guesses { kept, mirrored, left_out };
struct Beginning {
  double shift, not_given, spread;
  Guesses guesses = Guesses::kept;
};
constexpr Beginning beginnings[] = {{0, 0, 0},
                                    {0, 1, 0},
                                    {1e-3, 0, 0.5},
                                    {1e-2, -1, 0},
                                    {0.1, 0, 2},
                                    {0.5, 0, 5},
                                    {0, 100, 0},
                                    {0, 0.01, 0},
                                    {0, 1, 0, Guesses::mirrored},
                                    {0, 1, 0, Guesses::left_out}};
// The first of them keep to the guesses.
constexpr std::size_t num_near_beginnings = 6;
constexpr std::size_t most_conflicts = 8;

// In (-1, 1), the same on every machine.
double random_fraction(int k, std::size_t attempt) {
  const auto mixed = (static_cast<std::uint32_t>(k) + 1U) * 2654435761U ^
                     static_cast<std::uint32_t>(attempt) * 40503U;
  return static_cast<double>(mixed % 20011U) / 10005.5 - 1.0;
}

// Where unknown k begins if no value of it is given.
double not_given(int k, std::size_t attempt) {
  const Beginning& how = beginnings[attempt];
  return how.not_given + how.spread * random_fraction(k, attempt);
}

}  // namespace

class PointSearch::Search {
 public:
  explicit Search(SearchInput input)
      : input_(std::move(input)),
        residuals_(expanded_residuals(input_)),
        partials_(partials_of(input_.graph, residuals_)),
        sigma_(structure::signature_of(input_.graph, input_.residuals)),
        block_of_(blocks_of_unknowns(input_.structure)),
        conditions_(conditions_of(input_)),
        layout_(input_.structure, sigma_, tops_of_search()),
        system_(input_, residuals_, partials_, layout_) {}
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  PointFound run(GivenValues given) {
    input_.time = given.time;
    input_.parameters = given.parameters;
    input_.starts = std::move(given.starts);
    DAEDAL_CHECK(conditions_of(input_) == conditions_);
    PointFound found = search();
    if (found.outcome == Outcome::undefined && !input_.metric && input_.is_by_user)
      found.works = start_that_works(found);
    return found;
  }

 private:
  PointFound search() {
    describe_unknowns();
    Restored restored = restore_from_beginnings(selection_of(conditions_), objective_.target);
    if (!restored.is_consistent) restored = restored_on_paths(std::move(restored));
    if (restored.is_consistent) return run_to_defined(restored);
    if (conditions_.empty() || !restored.is_defined) return describe_unsolvable(restored);
    const Restored free = restore_from_beginnings(selection_of({}), objective_.target);
    if (!free.is_consistent) return describe_unsolvable(free);
    restored = try_conditions(conditions_, free.v);
    return restored.is_consistent ? run_from(restored) : describe_conflicts(free.v);
  }

  // One given value that leads to a point where everything is defined if it is another: the nearest
  // of some, of the values that what is undefined depends on.
  std::optional<StartThatWorks> start_that_works(const PointFound& failed) {
    constexpr int most_values = 8;  // it is for a message
    std::optional<StartThatWorks> works;
    int num_tried = 0;
    for (const int j : unknowns_that_decide(failed)) {
      std::vector<GivenValue>& derivatives = input_.starts[j].derivatives;
      derivatives.resize(std::max(derivatives.size(), static_cast<std::size_t>(num_starts(j))));
      for (std::size_t m = 0; m < derivatives.size() && !works; ++m) {
        const GivenValue given = derivatives[m];
        if (++num_tried > most_values) continue;
        const double now = given.is_given() ? given.value : 0.0;
        for (const double value : other_values(now, input_.starts[j].nominal)) {
          derivatives[m].value = value;
          if (search().outcome != Outcome::found) continue;
          works = {j, static_cast<int>(m), value};
          break;
        }
        derivatives[m] = given;
      }
      if (works) break;
    }
    describe_unknowns();
    return works;
  }

  std::size_t num_beginnings() const {
    return input_.is_by_user ? std::size(beginnings) : num_near_beginnings;
  }

  // How many derivatives of an unknown, the unknown itself included, may have start values.
  int num_starts(int unknown) const {
    int count = 0;
    for (std::size_t k = 0; k < layout_.unknowns().size(); ++k)
      if (is_start_[k] && layout_.unknowns()[k].index == unknown)
        count = std::max(count, layout_.unknowns()[k].order + 1);
    return count;
  }

  static std::vector<double> other_values(double value, double nominal) {
    const double size = std::max(std::abs(value), nominal);
    return {value + size / 1000, value - size / 1000, value + size / 10, value - size / 10,
            value + size,        value - size,        value + 2 * size,  value - 2 * size,
            value + 10 * size,   value - 10 * size};
  }

  // The unknowns in an operation, and those that the blocks before determine them from, the nearest
  // first; all of them if the operation is not known.
  std::vector<int> unknowns_that_decide(const PointFound& failed) const {
    std::vector<int> found;
    std::vector<bool> is_known(input_.starts.size(), false);
    const auto add = [&](int j) {
      if (!is_known[j]) found.push_back(j);
      is_known[j] = true;
    };
    const NodeId roots[] = {failed.undefined};
    if (failed.undefined.is_set())
      for (const NodeId node : expr::reachable(input_.graph, roots))
        if (input_.graph.op(node) == expr::Op::unknown)
          add(static_cast<int>(input_.graph.unknown(node).index()));
    for (std::size_t next = 0; next < found.size(); ++next)
      for (const int i : input_.structure.fine_blocks[block_of_[found[next]]].equations)
        for (const int j : sigma_.unknowns(i)) add(j);
    if (found.empty())
      for (int j = 0; j < static_cast<int>(is_known.size()); ++j) add(j);
    return found;
  }

  // A point where what follows is not defined (log(y) where the search came to y = -3) is none;
  // other beginnings can lead to others.
  PointFound run_to_defined(const Restored& restored) {
    const Selection all = selection_of(conditions_);
    PointFound found = run_from(restored);
    for (std::size_t attempt = 1; found.outcome == Outcome::undefined && attempt < num_beginnings();
         ++attempt) {
      const Restored other = restore_jointly(all, beginning(attempt, objective_.target, all));
      if (!other.is_consistent) continue;
      PointFound next = run_from(other);
      if (next.outcome != Outcome::undefined) return next;
    }
    return found;
  }

  // From a point that satisfies all constraints to the nearest one, and what is to be said of it.
  PointFound run_from(const Restored& restored) {
    const Selection all = selection_of(conditions_);
    const bool is_nearest = input_.may_be_any || restored.v == objective_.target;
    Vector v = is_nearest ? restored.v : polished(all, restored.v);
    if (!is_nearest && !input_.metric) v = nearest_on_paths(all, v);
    PointFound found = describe(v);
    if (input_.metric) {
      if (restored.is_degenerate) found.outcome = Outcome::singular;
      return found;
    }
    const auto at = system_.linearise(v);
    found.independence = judge_independence(system_, v, at, conditions_, is_start_);
    if (!found.independence.is_accepted()) found.outcome = Outcome::dependent;
    complete(v, found);
    if (found.outcome == Outcome::found && restored.is_degenerate)
      found.outcome = Outcome::singular;
    if (found.outcome == Outcome::found) found.undetermined = undetermined(at, all);
    return found;
  }

  // A search that loses the constraints on its way has found nothing.
  Vector polished(const Selection& selection, const Vector& v) {
    const Vector nearest = with_conditions(nearest_to_guesses(selection, v), conditions_);
    const Restored restored = restore(system_, selection, nearest, objective_.norm());
    return restored.is_consistent ? restored.v : v;
  }

  // Rule C10: where Newton's method gets stuck, paths go on.
  Restored restored_on_paths(Restored failed) {
    if (input_.metric) return failed;
    const Selection all = selection_of(conditions_);
    for (const Vector& from : {objective_.target, guesses_with_followers(failed.v)})
      for (const Vector& end : ends_of_paths(system_, all, objective_, from)) {
        Restored restored = restore(system_, all, end, objective_.norm());
        if (restored.is_consistent) return restored;
      }
    return failed;
  }

  // Rule C10: a search that does not go straight can go past nearer points.
  Vector nearest_on_paths(const Selection& selection, Vector v) {
    const Vector from = guesses_with_followers(v);
    if (objective_.at(v) == 0.0) return v;
    if (!input_.weighs_all && is_straight_way(selection, from, v)) return v;
    const auto take_if_nearer = [&](const Restored& restored) {
      if (!restored.is_consistent) return;
      const Vector nearest = polished(selection, restored.v);
      if (objective_.at(nearest) < objective_.at(v)) v = nearest;
    };
    for (const Vector& end : nearer_ends_of_paths(system_, selection, objective_, from, v))
      take_if_nearer(restore(system_, selection, end, objective_.norm()));
    for (std::size_t attempt = 1; attempt < num_beginnings(); ++attempt)
      take_if_nearer(restore_jointly(selection, beginning(attempt, objective_.target, selection)));
    if (input_.weighs_all) {
      const Vector near = nearest_by_choosable(selection);
      for (std::size_t attempt = 0; attempt < num_beginnings(); ++attempt)
        take_if_nearer(restore_jointly(selection, beginning(attempt, near, selection)));
    }
    return v;
  }

  // Rule C12: guesses of values that follow can lead far away from those that may be chosen, and
  // the nearest point may lie in the valley of the latter. Their nearest point by rule C5.
  Vector nearest_by_choosable(const Selection& selection) {
    const Objective all = objective_;
    for (std::size_t k = 0; k < is_start_.size(); ++k)
      if (!is_start_[k]) objective_.weight[static_cast<Eigen::Index>(k)] = 0.0;
    const Restored restored = restore_from_beginnings(selection, objective_.target);
    const Vector near = restored.is_consistent ? polished(selection, restored.v) : all.target;
    objective_ = all;
    return near;
  }

  // What weighs has its guess, the rest what it has at v.
  Vector guesses_with_followers(const Vector& v) const {
    return (objective_.weight.array() > 0.0).select(objective_.target, v);
  }

  // Whether the constraints are nearly linear from the guesses to v: then nothing is nearer.
  bool is_straight_way(const Selection& selection, const Vector& from, const Vector& v) {
    constexpr double much = 0.25;
    const auto at = system_.linearise(from);
    if (!at.is_finite()) return true;  // no path begins here
    Vector scale;
    scaled_jacobian(at.jacobian, selection, scale);
    const Vector residual = scale.cwiseProduct(at.residual);
    const Vector change = scale.cwiseProduct(at.jacobian * (v - from));
    if (!((residual + change).norm() <= much * residual.norm())) return false;
    for (const double part : {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 0.9375}) {
      const Vector there = scale.cwiseProduct(system_.residual(from + part * (v - from)));
      if (!((there - (1 - part) * residual).norm() <= much * (1 - part) * residual.norm()))
        return false;
    }
    return true;
  }

  // A metric that depends on the point is that of the point found.
  Vector nearest_to_guesses(const Selection& selection, Vector v) {
    constexpr int most_rounds = 20;
    constexpr double same = 1e-12;
    for (int round = 0; round < most_rounds; ++round) {
      const Vector last = v;
      if (input_.metric) measure_at(v);
      v = find_nearest(system_, selection, objective_, v);
      if (!input_.metric || relative_size(v - last, v, value_scale(v)) <= same) break;
    }
    return v;
  }

  void measure_at(const Vector& v) {
    objective_.weight.setZero();
    objective_.coupling.clear();
    const auto derivative = [&](int unknown, int order) {
      return system_.derivative(v, unknown, order);
    };
    for (const MetricEntry& entry : input_.metric(derivative)) {
      if (!input_.starts[entry.row].at(0).is_given() ||
          !input_.starts[entry.column].at(0).is_given())
        continue;
      const int row = layout_.position(entry.row, 0), column = layout_.position(entry.column, 0);
      if (row == column)
        objective_.weight[row] = entry.value;
      else
        objective_.coupling.emplace_back(row, column, entry.value);
    }
  }

  static std::vector<NodeId> expanded_residuals(const SearchInput& input) {
    std::vector<NodeId> roots(input.residuals.begin(), input.residuals.end());
    roots.insert(roots.end(), input.initial_residuals.begin(), input.initial_residuals.end());
    return expr::expand_derivatives(input.graph, roots);
  }

  // Rule C1: local stages below 0, and 0 where the block is nonlinear; higher where conditions
  // reach. Rule C12: all stages up to 0.
  std::vector<int> tops_of_search() const {
    const structure::Structure& s = input_.structure;
    std::vector<int> tops(s.fine_blocks.size());
    for (std::size_t b = 0; b < tops.size(); ++b)
      tops[b] = input_.weighs_all ? 0 : -input_.leads[b] - (input_.is_linear[b] ? 1 : 0);
    const auto include = [&](int unknown, int order) {
      int& top = tops[block_of_[unknown]];
      top = std::max(top, order - s.d[unknown]);
    };
    for (const Condition& condition : conditions_)
      if (condition.is_fixed_value()) include(condition.unknown, condition.order);
    for (std::size_t e = input_.residuals.size(); e < partials_.size(); ++e)
      for (const Partial& partial : partials_[e]) include(partial.unknown, partial.order);
    return tops;
  }

  std::vector<int> tops_of_completion() const {
    std::vector<int> tops(layout_.tops().begin(), layout_.tops().end());
    for (std::size_t b = 0; b < tops.size(); ++b) tops[b] = std::max(tops[b], -input_.leads[b]);
    return tops;
  }

  // Rule C5: what the objective weighs, and where the search begins.
  void describe_unknowns() {
    const auto count = static_cast<Eigen::Index>(layout_.unknowns().size());
    objective_.target = Vector::Zero(count);
    objective_.weight = Vector::Zero(count);
    objective_.coupling.clear();
    is_start_.resize(layout_.unknowns().size());
    for (Eigen::Index k = 0; k < count; ++k) {
      const auto [j, m] = layout_.unknowns()[k];
      const int b = block_of_[j];
      const int local_order = input_.structure.d[j] - input_.leads[b];
      is_start_[k] = m < local_order || (m == local_order && !input_.is_linear[b]);
      if (input_.metric) is_start_[k] = m == 0;
      const GivenValue given = input_.starts[j].at(m);
      if (!given.is_given()) continue;
      objective_.target[k] = system_.coefficient(j, m, given.value);
      const double factorial = falling_factorial(m, m);
      const bool weighs = is_start_[k] || (input_.weighs_all && m <= input_.structure.d[j]);
      if (weighs) objective_.weight[k] = factorial * factorial;
    }
  }

  int position(const Condition& condition) const {
    return layout_.position(condition.unknown, condition.order);
  }

  Selection selection_of(const std::vector<Condition>& conditions) const {
    Selection selection{std::vector<bool>(is_start_.size(), false),
                        std::vector<bool>(static_cast<std::size_t>(system_.num_rows()), true)};
    std::fill(selection.is_active.begin() + system_.num_equation_rows(), selection.is_active.end(),
              false);
    for (const Condition& condition : conditions) {
      if (condition.is_fixed_value())
        selection.is_frozen[position(condition)] = true;
      else
        selection.is_active[system_.num_equation_rows() + condition.initial_equation] = true;
    }
    return selection;
  }

  Vector with_conditions(Vector v, const std::vector<Condition>& conditions) const {
    for (const Condition& condition : conditions)
      if (condition.is_fixed_value())
        v[position(condition)] = objective_.target[position(condition)];
    return v;
  }

  Vector beginning(std::size_t attempt, const Vector& from, const Selection& selection) const {
    const Beginning& how = beginnings[attempt];
    Vector v = from;
    for (int k = 0; k < v.size(); ++k) {
      if (selection.is_frozen[k]) continue;
      if (objective_.weight[k] == 0.0)
        v[k] += not_given(k, attempt);
      else if (how.guesses == Guesses::left_out)
        v[k] = not_given(k, attempt);
      else
        v[k] = (how.guesses == Guesses::mirrored ? -v[k] : v[k]) +
               how.shift * random_fraction(k, attempt) * (std::abs(v[k]) + 1.0);
    }
    return v;
  }

  // The first success, else the attempt that left the smallest residual.
  Restored restore_from_beginnings(const Selection& selection, const Vector& from) {
    std::optional<Restored> best;
    double least = 0.0;
    for (std::size_t attempt = 0; attempt < num_beginnings(); ++attempt) {
      const Vector start = beginning(attempt, from, selection);
      Restored restored = restore_jointly(selection, start);
      if (restored.is_consistent) return restored;
      const double residual = largest_active_residual(restored.v, selection);
      if (best && !(residual < least)) continue;
      least = residual;
      best = std::move(restored);
    }
    return *best;
  }

  // Consistent already, or stage by stage first and then all at once.
  Restored restore_jointly(const Selection& selection, const Vector& start) {
    if (is_consistent(system_.linearise(start), start, selection))
      return {.is_consistent = true, .v = start};
    if (input_.metric) return restore_array(selection, start);
    const Staged stages = restore_by_stages(selection, start);
    const Vector& staged = stages.v;
    if (stages.is_consistent)
      return {.is_consistent = true, .is_degenerate = stages.is_degenerate, .v = staged};
    Restored restored = restore(system_, selection, staged, objective_.norm());
    // Zeros can come out of the stages as rounding, which is no scale.
    if (!restored.is_consistent && value_scale(staged) < value_scale(start))
      restored = restore(system_, selection, staged, objective_.norm(), value_scale(start));
    restored.is_degenerate =
        restored.is_degenerate || (stages.is_degenerate && restored.num_steps == 0);
    return restored;
  }

  // Rule C9 in an array, which is one block: rows wait that are not defined yet.
  Vector where_defined(const Selection& selection, Vector v) {
    for (int last_undefined = system_.num_rows() + 1;;) {
      Selection defined = selection;
      const int num_undefined =
          leave_out(Waiting::rows, layout_, system_.linearise(v).undefined_rows(), defined);
      if (num_undefined == 0 || num_undefined >= last_undefined) return v;
      last_undefined = num_undefined;
      const Restored others = restore(system_, defined, v, objective_.norm());
      if (!others.v.allFinite()) return v;
      v = others.v;
    }
  }

  // The guesses, with what a smaller array has found in the place of the values in it.
  Vector beginning_of_array(const Selection& selection, Vector v) const {
    for (int k = 0; k < v.size(); ++k) {
      const auto [j, m] = layout_.unknowns()[k];
      if (selection.is_frozen[k] || j >= static_cast<int>(input_.beginning.size())) continue;
      const std::vector<double>& known = input_.beginning[j];
      if (m < static_cast<int>(known.size())) v[k] = system_.coefficient(j, m, known[m]);
    }
    return v;
  }

  // If the guesses for x itself can be kept, they are; otherwise the search goes on from the point
  // of the array before, which differs from one of this array by the highest derivatives only.
  Restored restore_array(const Selection& selection, const Vector& from) {
    const Vector start = where_defined(selection, from);
    Selection kept = selection;
    for (std::size_t k = 0; k < kept.is_frozen.size(); ++k)
      if (layout_.unknowns()[k].order == 0 && objective_.weight[k] > 0.0) kept.is_frozen[k] = true;
    Restored far{.v = start};
    const std::pair<Selection, Vector> ways[] = {
        {kept, start}, {selection, beginning_of_array(selection, start)}, {selection, start}};
    for (const auto& [some, at] : ways)
      for (const Vector& first : {full_steps(some, at), at}) {
        Restored restored = restore(system_, some, first, objective_.norm());
        if (!restored.is_consistent) continue;
        if (!has_run_away(restored.v, at)) return restored;
        if (!far.is_consistent) far = std::move(restored);
      }
    return far;
  }

  // Rounding of values so large explains any residual: derivatives go to infinity where the values
  // that are kept contradict an equation.
  static bool has_run_away(const Vector& v, const Vector& start) {
    constexpr double far_away = 1e8;
    return v.lpNorm<Eigen::Infinity>() > far_away * (1.0 + start.lpNorm<Eigen::Infinity>());
  }

  // Gauss-Newton steps without damping. An array is nearly triangular: each step makes rows of one
  // more order right, while what it does to the orders above would frighten a line search.
  // Back at the start if they shrink by a constant factor only, as at a multiple root.
  Vector full_steps(const Selection& selection, const Vector& start) {
    constexpr double slow = 0.4;
    Vector v = start;
    double last = std::numeric_limits<double>::infinity(), ratio = 0.0;
    KktSystem kkt;
    Vector scale;
    for (int step = 0; step < 2 * (layout_.highest_row_order() + 5); ++step) {
      const auto at = system_.linearise(v);
      if (!at.is_finite()) return start;
      if (is_consistent(at, v, selection)) return v;
      const RowMatrix G = scaled_jacobian(at.jacobian, selection, scale);
      if (!kkt.factorise(diagonal(objective_.norm()), G)) break;
      const Vector p = kkt.solve(Vector::Zero(v.size()), -scale.cwiseProduct(at.residual)).p;
      if (!p.allFinite()) return start;
      v += p;
      const double size = p.lpNorm<Eigen::Infinity>();
      ratio = size / last;
      last = size;
      if (size <= std::numeric_limits<double>::epsilon() * v.lpNorm<Eigen::Infinity>()) return v;
    }
    return ratio < slow ? v : start;
  }

  // Stage k moves the coefficients k + d_j to satisfy the coefficients k + c_i, with lower ones
  // held [NedialkovPryce2007]: values that follow from others get their size before the joint
  // search could be misled by it. A stage that cannot be satisfied alone is left to the joint
  // search. Rows of a stage contain no values of later ones, nor those of a turn values of later
  // turns: where each of them is satisfied in its turn, all of them are.
  struct Staged {
    Vector v;
    bool is_degenerate = false;
    bool is_consistent = true;
  };
  Staged restore_by_stages(const Selection& selection, const Vector& start) {
    Staged result{.v = start};
    int first = 0, last = 0;
    for (const Coefficient& c : layout_.unknowns()) {
      first = std::min(first, stage_of_unknown(c));
      last = std::max(last, stage_of_unknown(c));
    }
    for (int stage = first; stage <= last; ++stage) {
      const std::vector<int> turns = turns_of_blocks(selection_of_stage(selection, stage));
      const int num_turns = turns.empty() ? 0 : 1 + *std::max_element(turns.begin(), turns.end());
      for (int turn = 0; turn < num_turns; ++turn) {
        const Selection some = selection_of_turn(selection_of_stage(selection, stage), turns, turn);
        const Restored restored = restore_turn(some, result.v);
        if (restored.v.allFinite()) result.v = restored.v;
        result.is_degenerate = result.is_degenerate || restored.is_degenerate;
        result.is_consistent = result.is_consistent && restored.is_consistent;
      }
    }
    for (int row = system_.num_equation_rows(); row < system_.num_rows(); ++row)
      result.is_consistent = result.is_consistent && !selection.is_active[row];
    return result;
  }

  // All blocks of a turn at once; where that fails, one after the other, each with those before it
  // as they are: a search for one value should not be misled by others that are still wrong.
  Restored restore_turn(const Selection& selection, const Vector& start) {
    Restored at_once = restore_defined_first(system_, selection, start, objective_.norm());
    if (at_once.is_consistent) return at_once;
    Restored result{.is_consistent = true, .v = start};
    for (std::size_t b = 0; b < input_.structure.fine_blocks.size(); ++b) {
      const Selection some = selection_of_block(selection, static_cast<int>(b));
      if (std::ranges::none_of(some.is_active, std::identity())) continue;
      Restored restored = restore_defined_first(system_, some, result.v, objective_.norm());
      if (!restored.is_consistent) return at_once;
      restored.is_degenerate = restored.is_degenerate || result.is_degenerate;
      result = std::move(restored);
    }
    return result;
  }

  Selection selection_of_block(Selection selection, int block) const {
    for (std::size_t k = 0; k < selection.is_frozen.size(); ++k)
      if (block_of_[layout_.unknowns()[k].index] != block) selection.is_frozen[k] = true;
    for (std::size_t row = 0; row < layout_.rows().size(); ++row)
      if (block_of_equation(layout_.rows()[row].index) != block) selection.is_active[row] = false;
    return selection;
  }

  // Rule C9: where an operation is not defined, because a value in it that follows from others has
  // not got its value yet (1/r before r = 2), the other blocks come first, and it is tried again.
  Restored restore_defined_first(ConstraintSystem& system, const Selection& selection, Vector v,
                                 const Vector& weight) const {
    Restored all = restore(system, selection, v, weight);
    for (const Waiting waiting : {Waiting::blocks, Waiting::rows}) {
      int last_undefined = system.num_rows() + 1;
      while (!all.is_defined) {
        Selection defined = selection;
        const std::vector<bool> is_undefined = system.linearise(v).undefined_rows();
        const int num_undefined = leave_out(waiting, system.layout(), is_undefined, defined);
        if (num_undefined >= last_undefined) break;
        last_undefined = num_undefined;
        const Restored others = restore(system, defined, v, weight);
        if (!others.v.allFinite()) break;
        v = others.v;
        all = restore(system, selection, v, weight);
        all.is_degenerate = all.is_degenerate || others.is_degenerate;
      }
    }
    return all;
  }

  // Active rows that are not defined are left out, and if blocks wait the later stages of their
  // blocks with them. Returns how many are not defined.
  enum class Waiting { blocks, rows };
  int leave_out(Waiting waiting, const StageLayout& layout, const std::vector<bool>& is_undefined,
                Selection& selection) const {
    if (is_undefined.empty()) return 0;
    constexpr int none = std::numeric_limits<int>::max();
    std::vector<int> first_stage(input_.structure.fine_blocks.size(), none);
    const std::size_t num_equation_rows = layout.rows().size();
    int count = 0;
    for (std::size_t row = 0; row < is_undefined.size(); ++row) {
      if (!is_undefined[row] || !selection.is_active[row]) continue;
      ++count;
      selection.is_active[row] = false;
      if (row >= num_equation_rows || waiting == Waiting::rows) continue;
      int& first = first_stage[block_of_equation(layout.rows()[row].index)];
      first = std::min(first, stage_of_row(layout.rows()[row]));
    }
    for (std::size_t row = 0; row < num_equation_rows; ++row)
      if (stage_of_row(layout.rows()[row]) >=
          first_stage[block_of_equation(layout.rows()[row].index)])
        selection.is_active[row] = false;
    for (std::size_t k = 0; k < layout.unknowns().size(); ++k)
      if (stage_of_unknown(layout.unknowns()[k]) >=
          first_stage[block_of_[layout.unknowns()[k].index]])
        selection.is_frozen[k] = true;
    return count;
  }

  int stage_of_unknown(const Coefficient& c) const { return c.order - input_.structure.d[c.index]; }
  int stage_of_row(const Coefficient& c) const { return c.order - input_.structure.c[c.index]; }

  Selection selection_of_stage(Selection selection, int stage) const {
    for (std::size_t k = 0; k < selection.is_frozen.size(); ++k)
      if (stage_of_unknown(layout_.unknowns()[k]) != stage) selection.is_frozen[k] = true;
    std::fill(selection.is_active.begin(), selection.is_active.end(), false);
    for (std::size_t row = 0; row < layout_.rows().size(); ++row)
      selection.is_active[row] = stage_of_row(layout_.rows()[row]) == stage;
    return selection;
  }

  // Rule C8: a block of a stage that could move given values comes after the blocks that it
  // contains unknowns of, so that values not yet right do not pull at given ones; other blocks come
  // together with the last one of those.
  std::vector<int> turns_of_blocks(const Selection& of_stage) const {
    const std::vector<bool> moves_given = blocks_that_move_given(of_stage);
    std::vector<int> turns(moves_given.size(), 0);
    for (std::size_t b = 0; b < turns.size(); ++b)  // earlier blocks have theirs
      for (const int i : input_.structure.fine_blocks[b].equations)
        for (std::size_t k = 0; k < sigma_.unknowns(i).size(); ++k) {
          const int other = tight_block(i, k);
          if (other < 0 || other == static_cast<int>(b)) continue;
          turns[b] = std::max(turns[b], turns[other] + (moves_given[b] ? 1 : 0));
        }
    return turns;
  }

  // The block of unknown k of equation i if they meet in the same stage, else -1.
  int tight_block(int i, std::size_t k) const {
    const int j = sigma_.unknowns(i)[k];
    const bool is_tight = sigma_.orders(i)[k] == input_.structure.d[j] - input_.structure.c[i];
    return is_tight ? block_of_[j] : -1;
  }

  std::vector<bool> blocks_that_move_given(const Selection& of_stage) const {
    std::vector<bool> has_row(input_.structure.fine_blocks.size(), false), moves_given = has_row;
    for (std::size_t row = 0; row < layout_.rows().size(); ++row)
      if (of_stage.is_active[row]) has_row[block_of_equation(layout_.rows()[row].index)] = true;
    for (std::size_t k = 0; k < of_stage.is_frozen.size(); ++k) {
      const int b = block_of_[layout_.unknowns()[k].index];
      if (!of_stage.is_frozen[k] && objective_.weight[k] > 0.0 && has_row[b]) moves_given[b] = true;
    }
    return moves_given;
  }

  int block_of_equation(int i) const { return block_of_[input_.structure.transversal[i]]; }

  Selection selection_of_turn(Selection of_stage, const std::vector<int>& turns, int turn) const {
    for (std::size_t k = 0; k < of_stage.is_frozen.size(); ++k)
      if (turns[block_of_[layout_.unknowns()[k].index]] != turn) of_stage.is_frozen[k] = true;
    for (std::size_t row = 0; row < layout_.rows().size(); ++row)
      if (turns[block_of_equation(layout_.rows()[row].index)] != turn)
        of_stage.is_active[row] = false;
    return of_stage;
  }

  double largest_active_residual(const Vector& v, const Selection& selection) {
    const Vector residual = system_.residual(v);
    double largest = 0.0;
    for (int row = 0; row < residual.size(); ++row)
      if (selection.is_active[row]) largest = std::max(largest, std::abs(residual[row]));
    return residual.allFinite() ? largest : std::numeric_limits<double>::infinity();
  }

  PointFound describe_conflicts(const Vector& free) {
    PointFound found = describe(free);
    found.outcome = Outcome::conflict;
    found.conflicts = find_conflicts(free);
    return found;
  }

  PointFound describe_unsolvable(const Restored& failed) {
    PointFound found = describe(failed.v);
    const Vector residual = system_.residual(failed.v);
    if (!residual.allFinite() || !failed.is_defined) {
      tell_undefined(system_, objective_.target, found);
      if (!found.undefined.is_set()) tell_undefined(system_, failed.v, found);
      return found;
    }
    tell_defects(system_, failed.v, found);
    if (!input_.metric)  // an array has no stages
      found.overgrown =
          overgrown(system_, restore_by_stages(selection_of({}), objective_.target).v);
    return found;
  }

  // The largest of the values that follow, if it is so large beside those of size 1 that rounding
  // in it decides what follows from it.
  static std::optional<Overgrown> overgrown(const ConstraintSystem& system, const Vector& v) {
    constexpr double few_digits = 1e12;  // of 1e16
    Overgrown largest;
    for (const auto [unknown, order] : system.layout().unknowns()) {
      const double value = system.derivative(v, unknown, order);
      if (std::abs(value) > std::abs(largest.value)) largest = {unknown, order, value};
    }
    return std::abs(largest.value) > few_digits ? std::optional(largest) : std::nullopt;
  }

  static void tell_defects(ConstraintSystem& system, const Vector& v, PointFound& found) {
    found.outcome = Outcome::no_solution;
    const Vector residual = system.residual(v);
    for (int row = 0; row < system.num_equation_rows(); ++row) {
      const auto [equation, order] = system.layout().rows()[row];
      found.defects.push_back({equation, order, residual[row]});
    }
    std::stable_sort(found.defects.begin(), found.defects.end(),
                     [](const Defect& a, const Defect& b) {
                       return std::abs(a.residual) > std::abs(b.residual);
                     });
  }

  static void tell_undefined(ConstraintSystem& system, const Vector& v, PointFound& found) {
    found.outcome = Outcome::undefined;
    system.residual(v);
    const std::vector<NodeId> nodes = system.undefined_operations();
    if (!nodes.empty()) found.undefined = nodes.front();
  }

  // Failing to find a point proves nothing, so several beginnings are tried before conditions are
  // said to conflict: the guesses, and the point that satisfies the equations alone.
  Restored try_conditions(const std::vector<Condition>& conditions, const Vector& free) {
    const Selection selection = selection_of(conditions);
    Restored restored =
        restore_from_beginnings(selection, with_conditions(objective_.target, conditions));
    if (!restored.is_consistent)
      restored = restore_from_beginnings(selection, with_conditions(free, conditions));
    return restored;
  }

  std::vector<ConditionConflict> find_conflicts(const Vector& free) {
    const auto can_hold = [&](const std::vector<Condition>& some) {
      return try_conditions(some, free).is_consistent;
    };
    std::vector<ConditionConflict> conflicts;
    std::vector<Condition> left = conditions_;
    while (conflicts.size() < most_conflicts) {
      const Restored failed = try_conditions(left, free);
      if (failed.is_consistent) break;
      const std::vector<Condition> some = suspects(left, failed.v);
      const bool is_among_some = some.size() < left.size() && !some.empty() && !can_hold(some);
      ConditionConflict conflict{.conditions =
                                     minimal_conflict(is_among_some ? some : left, can_hold)};
      choose_what_to_free(conflict, free);
      left.erase(std::find(left.begin(), left.end(), conflict.conditions[conflict.free]));
      conflicts.push_back(std::move(conflict));
    }
    return conflicts;
  }

  // Conditions that resist where a restoration got stuck: a change of the fixed value would reduce
  // the residual to first order, or the initial equation does not hold.
  std::vector<Condition> suspects(const std::vector<Condition>& conditions, const Vector& stuck) {
    const auto at = system_.linearise(stuck);
    if (!at.is_finite()) return {};
    const Selection selection = selection_of(conditions);
    Vector scale;
    scaled_jacobian(at.jacobian, selection, scale);
    const Vector residual = scale.cwiseProduct(at.residual);
    const Vector force = at.jacobian.transpose() * scale.cwiseProduct(residual);
    const auto resistance = [&](const Condition& condition) {
      return std::abs(condition.is_fixed_value()
                          ? force[position(condition)]
                          : residual[system_.num_equation_rows() + condition.initial_equation]);
    };
    double largest = 0.0;
    for (const Condition& condition : conditions)
      largest = std::max(largest, resistance(condition));
    std::vector<Condition> some;
    for (const Condition& condition : conditions)
      if (resistance(condition) > 1e-3 * largest) some.push_back(condition);
    return some;
  }

  // The condition that is violated least when the others hold; of several, the last.
  void choose_what_to_free(ConditionConflict& conflict, const Vector& free) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < conflict.conditions.size(); ++a) {
      std::vector<Condition> others = conflict.conditions;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(a));
      const Restored restored = try_conditions(others, free);
      if (!restored.is_consistent) continue;
      const Vector v = find_nearest(system_, selection_of(others), objective_, restored.v);
      const double move = violation(conflict.conditions[a], v);
      if (move > least * (1 + 1e-6)) continue;
      least = move;
      conflict.free = static_cast<int>(a);
      if (conflict.conditions[a].is_fixed_value())
        conflict.freed_value =
            system_.derivative(v, conflict.conditions[a].unknown, conflict.conditions[a].order);
    }
  }

  double violation(const Condition& condition, const Vector& v) {
    if (!condition.is_fixed_value())
      return std::abs(
          system_.residual(v)[system_.num_equation_rows() + condition.initial_equation]);
    const int k = position(condition);
    return std::abs(v[k] - objective_.target[k]) *
           falling_factorial(condition.order, condition.order);
  }

  PointFound describe(const Vector& v) {
    PointFound found;
    found.derivatives = derivatives_of(system_, v);
    found.residual = system_.residual(v).lpNorm<Eigen::Infinity>();
    found.distance = std::sqrt(2 * objective_.at(v));
    return found;
  }

  std::vector<std::vector<double>> derivatives_of(const ConstraintSystem& system,
                                                  const Vector& v) const {
    std::vector<std::vector<double>> derivatives(input_.starts.size());
    for (const Coefficient& c : system.layout().unknowns())
      derivatives[c.index].push_back(system.derivative(v, c.index, c.order));
    return derivatives;
  }

  // The highest derivatives: stage 0 of each block, and what it needs of earlier blocks, with all
  // that was found held fixed. Linear stage by stage, and square. Then the system Jacobian.
  void complete(const Vector& v, PointFound& found) {
    if (!completion_) completion_ = std::make_unique<Completion>(*this);
    const StageLayout& layout = completion_->layout;
    ConstraintSystem& system = completion_->system;
    Vector all = Vector::Zero(system.num_unknowns());
    Selection selection{std::vector<bool>(layout.unknowns().size(), false),
                        std::vector<bool>(static_cast<std::size_t>(system.num_rows()), true)};
    for (int k = 0; k < all.size(); ++k) {
      const auto [j, m] = layout.unknowns()[k];
      const int known = layout_.position(j, m);
      selection.is_frozen[k] = known >= 0;
      const GivenValue given = input_.starts[j].at(m);
      all[k] = known >= 0         ? v[known]
               : given.is_given() ? system.coefficient(j, m, given.value)
                                  : 0.0;
    }
    freeze_known_rows(layout, selection);
    const Restored restored = complete_from_beginnings(selection, all, found);
    if (!restored.is_defined) {
      keep_defined(system, restored.v, found);
      return tell_undefined(system, restored.v, found);
    }
    found.derivatives = derivatives_of(system, restored.v);
    found.residual = system.residual(restored.v).lpNorm<Eigen::Infinity>();
    const JacobianCondition jacobian =
        completion_->jacobian.judge([&](expr::UnknownId unknown, int order) {
          return system.derivative(restored.v, static_cast<int>(unknown.index()), order);
        });
    if (!jacobian.is_defined) return tell_undefined(system, restored.v, found);
    found.condition = jacobian.worst;
    found.singular_block = jacobian.singular_block;
    const bool is_incomplete = found.outcome == Outcome::found && !restored.is_consistent;
    if (jacobian.singular_block >= 0 || (is_incomplete && restored.is_degenerate))
      found.outcome = Outcome::singular;
    else if (is_incomplete)
      tell_defects(system, restored.v, found);
    if (found.outcome == Outcome::found) find_lost_digits(found);
  }

  // Values found where operations are rounding are none.
  void find_lost_digits(PointFound& found) const {
    const auto derivative = [&](expr::UnknownId j, int order) {
      const std::vector<double>& known = found.derivatives[j.index()];
      const auto k = static_cast<std::size_t>(order);
      return k < known.size() ? known[k] : std::numeric_limits<double>::quiet_NaN();
    };
    found.undefined =
        lost_digits(input_.graph, residuals_,
                    {.time = input_.time, .parameters = input_.parameters, .unknown = derivative});
    if (found.undefined.is_set()) found.outcome = Outcome::undefined;
  }

  // The first beginning that leads to values; else what the first one led to.
  Restored complete_from_beginnings(const Selection& selection, const Vector& from,
                                    PointFound& found) {
    const StageLayout& layout = completion_->layout;
    std::optional<Restored> first;
    for (std::size_t attempt = 0; attempt < num_beginnings(); ++attempt) {
      Vector v = from;
      for (int k = 0; k < v.size(); ++k)
        if (!selection.is_frozen[k] &&
            !input_.starts[layout.unknowns()[k].index].at(layout.unknowns()[k].order).is_given())
          v[k] += not_given(k, attempt);
      Restored restored =
          restore_defined_first(completion_->system, selection, v, Vector::Ones(v.size()));
      if (!restored.is_consistent && restored.is_defined) {
        Restored by_stages = complete_by_stages(selection, v);
        if (by_stages.is_consistent) return by_stages;
        if (!first) found.overgrown = overgrown(completion_->system, by_stages.v);
      }
      if (restored.is_consistent) return restored;
      if (!first) first = std::move(restored);
    }
    return *first;
  }

  // What rounding leaves of low stages can look large in high ones; taken one after the other, each
  // stage is linear and has low ones as they are.
  Restored complete_by_stages(const Selection& selection, Vector v) {
    const StageLayout& layout = completion_->layout;
    const auto stage_of = [&](const Coefficient& c) { return stage_of_unknown(c); };
    int first = 0, last = 0;
    for (const Coefficient& c : layout.unknowns()) {
      first = std::min(first, stage_of(c));
      last = std::max(last, stage_of(c));
    }
    for (int stage = first; stage <= last; ++stage) {
      Selection some = selection;
      for (std::size_t k = 0; k < some.is_frozen.size(); ++k)
        if (stage_of(layout.unknowns()[k]) != stage) some.is_frozen[k] = true;
      for (std::size_t row = 0; row < layout.rows().size(); ++row)
        if (stage_of_row(layout.rows()[row]) != stage) some.is_active[row] = false;
      Restored restored =
          restore_defined_first(completion_->system, some, v, Vector::Ones(v.size()));
      if (!restored.is_consistent) return {.v = std::move(v)};
      v = std::move(restored.v);
    }
    return {.is_consistent = true, .v = std::move(v)};
  }

  // The values of blocks that are defined, and of which everything that they need is.
  void keep_defined(ConstraintSystem& system, const Vector& v, PointFound& found) const {
    const auto at = system.linearise(v);
    const std::vector<bool> is_undefined = at.undefined_rows();
    std::vector<bool> is_block_undefined(input_.structure.fine_blocks.size(), false);
    for (std::size_t row = 0; row < system.layout().rows().size(); ++row)
      if (!is_undefined.empty() && is_undefined[row])
        is_block_undefined[block_of_equation(system.layout().rows()[row].index)] = true;
    for (std::size_t b = 0; b < is_block_undefined.size(); ++b)  // earlier blocks have theirs
      for (const int i : input_.structure.fine_blocks[b].equations)
        for (const int j : sigma_.unknowns(i))
          if (is_block_undefined[block_of_[j]]) is_block_undefined[b] = true;
    const std::vector<std::vector<double>> all = derivatives_of(system, v);
    for (std::size_t j = 0; j < all.size(); ++j)
      if (!is_block_undefined[block_of_[j]]) found.derivatives[j] = all[j];
  }

  // Rows of the search hold already, to the rounding of unknowns that are now frozen.
  void freeze_known_rows(const StageLayout& layout, Selection& selection) const {
    std::vector<int> num_known(input_.residuals.size(), 0);
    for (const Coefficient& row : layout_.rows()) ++num_known[row.index];
    for (std::size_t row = 0; row < selection.is_active.size(); ++row)
      selection.is_active[row] = row < layout.rows().size() &&
                                 layout.rows()[row].order >= num_known[layout.rows()[row].index];
  }

  // Start values not given that could change although everything given stays: e_k has a part in the
  // tangent space on which the objective is flat.
  std::vector<Coefficient> undetermined(const ConstraintSystem::Linearisation& at,
                                        const Selection& selection) const {
    std::vector<Triplet> open;  // a row e_k for each of them
    std::vector<int> places;
    for (int k = 0; k < objective_.weight.size(); ++k) {
      if (!is_start_[k] || selection.is_frozen[k] || objective_.weight[k] > 0.0) continue;
      open.emplace_back(static_cast<int>(places.size()), k, 1.0);
      places.push_back(k);
    }
    if (places.empty()) return {};
    constexpr double stiff = 1e10;
    Vector scale;
    const TangentResponse response(
        Vector::Ones(objective_.weight.size()) + stiff * objective_.weight,
        scaled_jacobian(at.jacobian, selection, scale));
    if (!response.is_usable()) return {};
    RowMatrix units(static_cast<Eigen::Index>(places.size()), objective_.weight.size());
    units.setFromTriplets(open.begin(), open.end());
    const std::vector<bool> is_free = response.exceeds(units, 1e-6);
    std::vector<Coefficient> found;
    for (std::size_t a = 0; a < places.size(); ++a)
      if (is_free[a]) found.push_back(layout_.unknowns()[places[a]]);
    return found;
  }

  // What the last step needs; built when it is first reached.
  struct Completion {
    explicit Completion(const Search& search)
        : layout(search.input_.structure, search.sigma_, search.tops_of_completion()),
          system(search.input_, search.residuals_, search.partials_, layout),
          jacobian(search.input_) {}
    StageLayout layout;
    ConstraintSystem system;
    JacobianJudge jacobian;
  };

  SearchInput input_;
  std::vector<NodeId> residuals_;
  std::vector<std::vector<Partial>> partials_;
  structure::SignatureMatrix sigma_;
  std::vector<int> block_of_;
  std::vector<Condition> conditions_;
  StageLayout layout_;
  ConstraintSystem system_;
  std::vector<bool> is_start_;  // by position
  Objective objective_;
  std::unique_ptr<Completion> completion_;
};

PointSearch::PointSearch(SearchInput input) : search_(std::make_unique<Search>(std::move(input))) {}
PointSearch::~PointSearch() = default;

PointFound PointSearch::run(GivenValues given) { return search_->run(std::move(given)); }

PointFound find_consistent_point(const SearchInput& input) {
  return PointSearch(input).run({input.time, input.parameters, input.starts});
}

}  // namespace daedal::init
