#include "integrate/taylor/feature_watch.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "taylor/kernels.hpp"

namespace daedal::integrate {
namespace {

using taylor::Instruction;
using taylor::Slot;
using taylor::TapeEntry;

// Last terms that are this part of the first ones do not bring a series to its end.
constexpr double part_of_last_terms = 0.1;
// A value that is off by this part of the largest on the step is not what the series shows.
constexpr double part_of_largest = 0.01;
// The range of an operation may be wider than its terms by so many tolerances.
constexpr double still_allowed = 10.0;
// A step is looked at in this many parts at least, and at this many points at most.
constexpr double least_points = 16.0;
constexpr int most_points = 400;
// Trials of one step that answer questions; where there are more the step is cut.
constexpr std::size_t most_questions = 8;
// A difference that counts as larger. The place where a tanh is halfway is asked about, not one
// after it: there 1 - tanh^2, or another tanh, may be what it was.
constexpr double much_more = 2.0;
// Where the first point differs already.
constexpr double part_before_first = 0.25;

bool is_product(const TapeEntry& entry) {
  return entry.instruction == Instruction::multiply || entry.instruction == Instruction::square;
}

// By slot: of how many factors that are no products a value is made; of a sum, the most of a term.
std::vector<int> numbers_of_factors(const taylor::Tape& tape, const std::vector<Slot>& in_order) {
  constexpr int many = 1 << 20;
  std::vector<int> numbers(tape.entries().size(), 0);
  for (const Slot slot : in_order) {
    const TapeEntry& entry = tape.entries()[slot];
    numbers[slot] = 1;
    if (taylor::is_leaf(entry)) continue;
    const bool is_sum = entry.instruction == Instruction::affine;
    if (!is_sum && !is_product(entry)) continue;
    int most = 0, all = 0;
    tape.for_each_value_argument(entry, [&](Slot argument) {
      most = std::max(most, numbers[argument]);
      all = std::min(all + numbers[argument], many);
    });
    const bool is_square = entry.instruction == Instruction::square;
    numbers[slot] = is_sum ? std::max(most, 1) : std::min(is_square ? 2 * most : all, many);
  }
  return numbers;
}

// A product of what the series show does nothing of its own: each term of it that is left out has a
// factor from the second half of a series, whose terms the step has made small. But where its
// factors are zero the first terms of a product of many vanish. A solution that touches zero does
// so with its second term; of more factors than half of the terms the series may have none.
bool may_hide(const TapeEntry& entry, int number_of_factors, int degree) {
  return !is_product(entry) || 2 * number_of_factors > degree;
}

// A product with an operation in question shows no more than that, and is in question, too: of
// u^2 exp(-u^2) the largest values are not those of exp.
constexpr char directly = 1, as_user = 2;
template <typename MarkFirst>
void mark_users(const taylor::Tape& tape, const std::vector<Slot>& in_order,
                std::vector<char>& marks, MarkFirst mark_first) {
  std::ranges::fill(marks, 0);
  mark_first();
  for (const Slot slot : in_order) {
    const TapeEntry& entry = tape.entries()[slot];
    if (marks[slot] != 0 || taylor::is_leaf(entry)) continue;
    tape.for_each_value_argument(entry, [&](Slot argument) {
      if (marks[argument] != 0) marks[slot] = as_user;
    });
  }
}

}  // namespace

FeatureWatch::FeatureWatch(const taylor::SeriesSolver& series, int lane, double tolerance)
    : series_(series), lane_(lane), still_(tolerance) {
  const taylor::StateOperations found = taylor::state_operations(series.schedule());
  const taylor::Tape& tape = series.schedule().tape;
  const std::vector<int> factors = numbers_of_factors(tape, found.evaluated);
  const auto is_asked = [&](Slot slot) {
    return may_hide(tape.entries()[slot], factors[slot], degree_of(slot));
  };
  num_asked_ = static_cast<std::size_t>(std::ranges::count_if(found.operations, is_asked));
  if (num_asked_ == 0) return;
  for (const Slot slot : found.operations) operations_.push_back({slot, degree_of(slot)});
  std::ranges::sort(operations_, {}, [&](const Operation& operation) {
    return std::tuple(!is_asked(operation.slot), -operation.degree, operation.slot);
  });
  for (std::size_t n = 0; n < num_asked_; ++n) {
    places_.push_back(std::size_t{operations_[n].slot} * series.num_lanes() + lane);
    if (n == 0 || operations_[n].degree != groups_.back().degree)
      groups_.push_back({operations_[n].degree, n, n});
    groups_.back().last = n + 1;
  }
  evaluated_ = found.evaluated;
  measures_.resize(num_asked_ + taylor::kernel_overrun);
  values_.emplace(tape, 1);
  ranges_.emplace(tape, std::vector<Slot>{});
  is_needed_.resize(tape.entries().size());
  is_varying_.assign(tape.entries().size(), 1);
  for (const Slot slot : series.schedule().constant) is_varying_[slot] = 0;
  needed_.reserve(evaluated_.size());
  followed_.reserve(operations_.size());
  doubts_.reserve(operations_.size());
}

int FeatureWatch::degree_of(Slot slot) const {
  return std::min(series_.last_stage() + series_.schedule().offset[slot], series_.highest_degree());
}

void FeatureWatch::begin() {
  if (operations_.empty()) return;
  for (const Slot slot : series_.schedule().constant) {
    const double value = series_.slot_coefficient(slot, 0, lane_);
    values_->at(slot, 0) = value;
    ranges_->set(slot, {value, value});
  }
}

bool FeatureWatch::all_settle(double s) {
  bool are_settled = true;
  for (const Group& group : groups_)
    are_settled &=
        taylor::best_kernels().settle({.x = {series_.row(0), series_.stride()},
                                       .last = group.degree,
                                       .places = places_.data() + group.first,
                                       .part = part_of_last_terms,
                                       .still = still_},
                                      group.last - group.first, s, measures_.data() + group.first);
  return are_settled;
}

// sum_{k>=1} |x_k| s^k
double FeatureWatch::motion(Slot slot, int degree, double s) const {
  const std::size_t stride = series_.stride();
  const double* const first = series_.row(0) + std::size_t{slot} * series_.num_lanes() + lane_;
  double sum = 0.0;
  for (const double* x = first + stride * static_cast<std::size_t>(degree); x != first; x -= stride)
    sum = s * (sum + std::abs(*x));
  return sum;
}

double FeatureWatch::series_value(Slot slot, double s) const {
  const std::size_t stride = series_.stride();
  const double* const first = series_.row(0) + std::size_t{slot} * series_.num_lanes() + lane_;
  const double* x = first + stride * static_cast<std::size_t>(degree_of(slot));
  double sum = *x;
  while (x != first) sum = *(x -= stride) + s * sum;
  return sum;
}

// As far as the terms of an argument, or of a constant, take it.
expr::Range FeatureWatch::range_of(Slot slot, double s) const {
  if (!is_varying_[slot]) return ranges_->of(slot);
  const double value = series_.slot_coefficient(slot, 0, lane_);
  const double away = motion(slot, degree_of(slot), s);
  return {value - away, value + away};
}

// An operation that can go no farther than its terms take it hides nothing.
bool FeatureWatch::moves_as_series(const Operation& operation, double s) {
  const taylor::Tape& tape = series_.schedule().tape;
  const TapeEntry& entry = tape.entries()[operation.slot];
  tape.for_each_value_argument(
      entry, [&](Slot argument) { ranges_->set(argument, range_of(argument, s)); });
  const expr::Range range = ranges_->result(operation.slot);
  const double value = series_.slot_coefficient(operation.slot, 0, lane_);
  const double allowed = (1.0 + part_of_largest) * motion(operation.slot, operation.degree, s) +
                         still_allowed * still_ * std::abs(value);
  return range.low >= value - allowed && range.high <= value + allowed;
}

void FeatureWatch::look_closer(double t, double s) {
  followed_.clear();
  for (std::size_t n = 0; n < num_asked_; ++n) {
    if (measures_[n] < 0.0 || moves_as_series(operations_[n], std::abs(s))) continue;
    const double value = series_.slot_coefficient(operations_[n].slot, 0, lane_);
    followed_.push_back({.number = n, .largest = std::abs(value)});
  }
  if (followed_.empty()) return;
  mark_users(series_.schedule().tape, evaluated_, is_needed_, [&] {
    for (const Followed& followed : followed_)
      is_needed_[operations_[followed.number].slot] = directly;
  });
  for (std::size_t n = 0; n < operations_.size(); ++n) {
    const Slot slot = operations_[n].slot;
    const TapeEntry& entry = series_.schedule().tape.entries()[slot];
    if (is_needed_[slot] == as_user && entry.instruction == Instruction::multiply)
      followed_.push_back(
          {.number = n, .largest = std::abs(series_.slot_coefficient(slot, 0, lane_))});
  }
  mark_needed();
  follow(t, s);
}

// What the values of the followed operations need.
void FeatureWatch::mark_needed() {
  const taylor::Tape& tape = series_.schedule().tape;
  std::ranges::fill(is_needed_, 0);
  for (const Followed& followed : followed_) is_needed_[operations_[followed.number].slot] = 1;
  for (auto slot = evaluated_.rbegin(); slot != evaluated_.rend(); ++slot) {
    const TapeEntry& entry = tape.entries()[*slot];
    if (is_needed_[*slot] != 0 && !taylor::is_leaf(entry))
      tape.for_each_value_argument(entry, [&](Slot argument) { is_needed_[argument] = 1; });
  }
  needed_.clear();
  for (const Slot slot : evaluated_)
    if (is_needed_[slot] != 0) needed_.push_back(slot);
}

void FeatureWatch::evaluate(double t, double s) {
  values_->set_origin({.time = t + s * series_.scale(lane_)});
  for (const Slot slot : needed_) {
    if (taylor::is_leaf(series_.schedule().tape.entries()[slot]))
      values_->at(slot, 0) = series_value(slot, s);
    else
      values_->evaluate(slot, 0);
  }
}

// From point to point, so near to each other that the arguments show what lies between.
void FeatureWatch::follow(double t, double s) {
  constexpr double grow = 2.0, shrink = 0.1, aim = 0.8, shortest = 0x1p-20;
  const taylor::Tape& tape = series_.schedule().tape;
  for (Followed& followed : followed_)
    followed.argument = series_.slot_coefficient(
        taylor::critical_argument(tape, operations_[followed.number].slot), 0, lane_);
  const double farthest = std::abs(s), direction = s > 0.0 ? 1.0 : -1.0;
  double at = 0.0, distance = farthest / least_points;
  for (int number = 0; at < farthest; ++number) {
    if (number == most_points) {
      seen_ = at;
      break;
    }
    const double next = farthest - at <= distance ? farthest : at + distance;
    evaluate(t, direction * next);
    const double moved = moved_in_resolutions();
    const bool is_too_far = !(moved <= 1.0) && distance > shortest * farthest;
    const double by = moved > 0.0 ? std::clamp(aim / moved, shrink, grow) : grow;
    distance = std::min((is_too_far ? std::min(by, aim) : by) * distance, farthest / least_points);
    if (is_too_far) continue;
    compare(at, next, direction);
    at = next;
  }
  note_doubts();
}

// The largest motion of an argument since the last point.
double FeatureWatch::moved_in_resolutions() const {
  const taylor::Tape& tape = series_.schedule().tape;
  double most = 0.0;
  for (const Followed& followed : followed_) {
    const Slot slot = operations_[followed.number].slot;
    const TapeEntry& entry = tape.entries()[slot];
    const double argument = values_->at(taylor::critical_argument(tape, slot), 0);
    const double exponent = entry.instruction == Instruction::steady_power
                                ? values_->at(tape.arguments(entry)[1], 0)
                                : entry.number;
    const double smaller = std::min(std::abs(argument), std::abs(followed.argument));
    const double moved = std::abs(argument - followed.argument) /
                         taylor::resolution(entry, exponent, smaller, followed.largest_argument);
    if (!(moved <= most)) most = moved;
  }
  return most;
}

void FeatureWatch::compare(double before, double at, double direction) {
  if (is_at_zero_by_zero()) return;
  const taylor::Tape& tape = series_.schedule().tape;
  for (Followed& followed : followed_) {
    const Slot slot = operations_[followed.number].slot;
    const double value = values_->at(slot, 0);
    followed.argument = values_->at(taylor::critical_argument(tape, slot), 0);
    followed.largest_argument = std::max(followed.largest_argument, std::abs(followed.argument));
    followed.largest = std::max(followed.largest, std::abs(value));
    const double difference = std::abs(value - series_value(slot, direction * at));
    if (difference <= (part_of_largest + still_) * followed.largest) continue;
    if (followed.worst_at == 0.0) followed.like = before > 0.0 ? before : part_before_first * at;
    if (difference <= much_more * followed.worst) continue;
    followed.worst = std::isfinite(difference) ? difference : unlimited;
    followed.worst_at = at;
  }
}

// Where nothing is left of a numerator and its denominator, the value of the quotient is rounding,
// which no series follows.
bool FeatureWatch::is_at_zero_by_zero() const {
  constexpr double nothing = 1e-3;
  const taylor::Tape& tape = series_.schedule().tape;
  return std::ranges::any_of(needed_, [&](Slot slot) {
    const TapeEntry& entry = tape.entries()[slot];
    return entry.instruction == Instruction::divide &&
           std::ranges::all_of(tape.arguments(entry), [&](Slot argument) {
             return std::abs(values_->at(argument, 0)) <=
                    nothing * std::abs(series_.slot_coefficient(argument, 0, lane_));
           });
  });
}

// Farthest first; those of one place are asked for together.
void FeatureWatch::note_doubts() {
  for (const Followed& followed : followed_)
    if (followed.worst_at > 0.0) doubts_.push_back({followed.worst_at, followed.like});
  std::ranges::sort(doubts_, [](const Doubt& a, const Doubt& b) {
    return a.at != b.at ? a.at > b.at : a.like < b.like;
  });
  doubts_.erase(std::unique(doubts_.begin(), doubts_.end(),
                            [](const Doubt& a, const Doubt& b) { return a.at == b.at; }),
                doubts_.end());
  if (doubts_.size() <= most_questions) return;
  for (const Doubt& doubt : doubts_) seen_ = std::min(seen_, doubt.like);
  doubts_.clear();
}

double FeatureWatch::reach(double s) const {
  double reach = std::min(s, seen_);
  for (const Doubt& doubt : doubts_)
    if (doubt.at > reach) reach = std::min(reach, doubt.like);
  return reach;
}

std::optional<double> FeatureWatch::question(double s) const {
  if (doubts_.empty() || doubts_.back().at >= s) return std::nullopt;
  return doubts_.back().at;
}

void FeatureWatch::answer(bool is_close) {
  if (!is_close) seen_ = std::min(seen_, doubts_.back().like);
  doubts_.pop_back();
}

}  // namespace daedal::integrate
