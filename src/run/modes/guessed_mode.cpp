#include "run/modes/guessed_mode.hpp"

#include <algorithm>

#include "expr/evaluate.hpp"
#include "model/check.hpp"
#include "run/modes/guard_reader.hpp"

namespace daedal::run {

Derivatives guesses_of(const model::ModelData& model, const std::vector<double>& parameters,
                       double t, const std::vector<plan::OtherStart>& others) {
  expr::Evaluator evaluator(*model.graph);
  const expr::Point point{.time = t, .parameters = parameters, .unknown = {}};
  constexpr std::size_t fewest = 8;  // derivatives
  Derivatives guesses;
  for (const model::Variable& variable : model.variables) {
    std::vector<double>& values = guesses.emplace_back();
    for (const model::Start& start : variable.start)
      values.push_back(start.value ? evaluator.value(*start.value, point) : 0.0);
    values.resize(std::max(values.size(), fewest), 0.0);
  }
  for (const plan::OtherStart& other : others) {
    std::vector<double>& values = guesses[static_cast<std::size_t>(other.unknown)];
    values.resize(std::max(values.size(), static_cast<std::size_t>(other.order) + 1), 0.0);
    values[static_cast<std::size_t>(other.order)] = other.value;
  }
  return guesses;
}

namespace {

// The side of guard k of which the text is among the conditions, if one is.
std::optional<hybrid::Side> known_side(const hybrid::Guards& guards, int k,
                                       const std::vector<std::string>& conditions) {
  for (const hybrid::Side side :
       {hybrid::Side::minus, hybrid::Side::zero, hybrid::Side::plus, hybrid::Side::slides})
    if (std::find(conditions.begin(), conditions.end(), guards.text(k, side)) != conditions.end())
      return side;
  return std::nullopt;
}

}  // namespace

GuessedMode::GuessedMode(const model::ModelData& model, double t,
                         const std::vector<std::string>& conditions)
    : model_(model) {
  if (!hybrid::is_hybrid(model)) return;
  const std::vector<double> parameters = model::check(model);
  model::ModelData copy = model::copy_of(model);
  const hybrid::Guards guards(copy);
  GuardValues values(copy, guards);
  values.evaluate(t, parameters, guesses_of(copy, parameters, t));
  hybrid::Sides sides(guards.size(), hybrid::Side::zero);
  for (int k = 0; k < guards.size(); ++k)
    sides[k] = known_side(guards, k, conditions).value_or(hybrid::side_of(values[k]));
  mode_ = hybrid::make_mode_model(copy, guards, sides, parameters,
                                  std::vector<double>(copy.variables.size(), 1.0));
  for (int k = 0; k < guards.size(); ++k)
    if (mode_->is_relevant[k]) conditions_.push_back(guards.text(k, sides[k]));
}

}  // namespace daedal::run
