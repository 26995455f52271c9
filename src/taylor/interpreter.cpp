#include "taylor/interpreter.hpp"

#include <algorithm>
#include <cmath>

#include "expr/apply.hpp"
#include "taylor/rules.hpp"

namespace daedal::taylor {

using base::Rounded;
using base::written;
using expr::Op;

namespace {

using Real = Rounded::Real;

// Coefficient 0: the operation itself.
double value_at(Op op, double u) { return expr::apply_unary(op, u); }
Rounded value_at(Op op, Rounded u) {
  return base::apply_rounded([op](Real at) { return expr::apply_unary(op, at); }, u);
}

double power_at(double u, double r) { return expr::apply_power(u, r); }
Rounded power_at(Rounded u, double r) {
  return base::apply_rounded([r](Real at) { return expr::apply_power(at, r); }, u);
}

double varying_power_at(double u, double v) { return std::pow(u, v); }
Rounded varying_power_at(Rounded u, Rounded v) {
  const Rounded by_base = base::apply_rounded([&](Real at) { return std::pow(at, v.value); }, u);
  const Rounded by_exponent =
      base::apply_rounded([&](Real at) { return std::pow(u.value, at); }, v);
  return {by_base.value, by_base.error + by_exponent.error};
}

double angle_at(double y, double x) { return std::atan2(y, x); }
Rounded angle_at(Rounded y, Rounded x) {
  const Real r2 = x.value * x.value + y.value * y.value;
  const Real propagated =
      r2 > 0 ? (std::abs(x.value) * y.error + std::abs(y.value) * x.error) / r2 : 0;
  return base::rounding::result(std::atan2(y.value, x.value), propagated);
}

}  // namespace

template <typename Scalar>
BasicInterpreter<Scalar>::BasicInterpreter(const Tape& tape) : tape_(tape) {
  first_.push_back(0);
  for (const TapeEntry& entry : tape.entries())
    first_.push_back(first_.back() + static_cast<std::size_t>(entry.order + 1));
  series_.resize(first_.back());
}

template <typename Scalar>
void BasicInterpreter<Scalar>::run(const SeriesPoint& point) {
  const auto entries = tape_.entries();
  for (int sweep = 0; sweep < tape_.num_sweeps(); ++sweep) {
    for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
      const int k = sweep - entries[slot].lag;
      if (k < 0 || k > entries[slot].order) continue;
      series_[first_[slot] + k] = coefficient_of(entries[slot], slot, k, point);
    }
  }
}

template <typename Scalar>
Scalar BasicInterpreter<Scalar>::coefficient_of(const TapeEntry& entry, std::uint32_t slot, int k,
                                                const SeriesPoint& point) const {
  const auto argument = [&](std::size_t a) { return series(tape_.arguments(entry)[a]); };
  switch (entry.instruction) {
    case Instruction::constant: return k == 0 ? written<Scalar>(entry.number) : 0.0;
    case Instruction::parameter:
      return k == 0 ? written<Scalar>(point.parameters[entry.index]) : 0.0;
    case Instruction::time: return k == 0 ? point.time : (k == 1 ? 1.0 : 0.0);
    case Instruction::unknown:
      return point.derivative(expr::UnknownId(entry.index), k) / factorial(k);
    case Instruction::derivative:
      return point.derivative(expr::UnknownId(entry.index), static_cast<int>(entry.number) + k) /
             factorial(k);
    case Instruction::shift: return shift_rule(k, static_cast<int>(entry.index), argument(0));
    case Instruction::affine: return affine(entry, k);
    case Instruction::multiply: return multiply_rule(k, argument(0), argument(1));
    case Instruction::square: return square_rule(k, argument(0));
    case Instruction::divide: return divide_rule(k, argument(0), argument(1), series(slot));
    case Instruction::power: return power(entry, series(slot), k);
    case Instruction::steady_power: {
      const double exponent = base::value_of(argument(1)[0]);
      return k == 0 ? power_at(argument(0)[0], exponent)
                    : power_rule(k, argument(0), exponent, series(slot));
    }
    case Instruction::varying_power:
      return k == 0 ? varying_power_at(argument(2)[0], argument(3)[0])
                    : function_rule(k, argument(0), series(slot));
    case Instruction::function: return function(entry, k);
    case Instruction::piecewise: return piecewise(entry, k);
  }
  return 0.0;
}

template <typename Scalar>
Scalar BasicInterpreter<Scalar>::affine(const TapeEntry& entry, int k) const {
  const auto slots = tape_.arguments(entry);
  const auto coefficients = tape_.coefficients(entry);
  Scalar sum = k == 0 ? written<Scalar>(entry.number) : 0.0;
  for (std::size_t a = 0; a < slots.size(); ++a)
    sum += written<Scalar>(coefficients[a]) * series(slots[a])[k];
  return sum;
}

template <typename Scalar>
Scalar BasicInterpreter<Scalar>::power(const TapeEntry& entry, Series z, int k) const {
  const auto u = series(tape_.arguments(entry)[0]);
  return k == 0 ? power_at(u[0], entry.number) : power_rule(k, u, entry.number, z);
}

template <typename Scalar>
Scalar BasicInterpreter<Scalar>::function(const TapeEntry& entry, int k) const {
  const auto slots = tape_.arguments(entry);
  if (entry.op == Op::atan2) {
    const auto y = series(slots[0]), by_y = series(slots[1]);
    const auto x = series(slots[2]), minus_by_x = series(slots[3]);
    if (k == 0) return angle_at(y[0], x[0]);
    return function_rule(k, y, by_y) - function_rule(k, x, minus_by_x);
  }
  const auto u = series(slots[0]);
  return k == 0 ? value_at(entry.op, u[0]) : function_rule(k, u, series(slots[1]));
}

// The branch is chosen by the values at the point; its derivatives are those of the branch.
template <typename Scalar>
Scalar BasicInterpreter<Scalar>::piecewise(const TapeEntry& entry, int k) const {
  const auto slots = tape_.arguments(entry);
  const auto u = series(slots[0]);
  const double first = base::value_of(u[0]);
  if (entry.op == Op::sign) return k == 0 ? expr::apply_unary(Op::sign, first) : 0.0;
  if (entry.op == Op::abs) return first < 0 ? -u[k] : u[k];
  const auto v = series(slots[1]);
  const double second = base::value_of(v[0]);
  return (entry.op == Op::min ? first < second : first > second) ? u[k] : v[k];
}

template <typename Scalar>
bool BasicInterpreter<Scalar>::is_finite(std::uint32_t slot) const {
  const auto coefficients = series(slot);
  return std::all_of(coefficients.begin(), coefficients.end(),
                     [](Scalar value) { return base::is_finite(value); });
}

// A function's partner is passed over: sin and cos are partners of each other, so neither would be
// first.
template <typename Scalar>
std::vector<NodeId> BasicInterpreter<Scalar>::undefined_operations() const {
  std::vector<NodeId> found;
  const auto entries = tape_.entries();
  for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
    if (is_finite(slot)) continue;
    const auto arguments = tape_.arguments(entries[slot]);
    const std::size_t stride = tape_.has_partners(entries[slot]) ? 2 : 1;
    bool is_first = true;
    for (std::size_t a = 0; a < arguments.size(); a += stride)
      is_first = is_first && is_finite(arguments[a]);
    if (is_first) found.push_back(entries[slot].source);
  }
  return found;
}

template class BasicInterpreter<double>;
template class BasicInterpreter<Rounded>;

}  // namespace daedal::taylor
