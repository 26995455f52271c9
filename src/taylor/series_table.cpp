#include "taylor/series_table.hpp"

#include <algorithm>
#include <cmath>

#include "expr/evaluate.hpp"
#include "taylor/kernels.hpp"

namespace daedal::taylor {

using expr::Op;
using linear::Rounded;
using linear::written;

namespace {

using Real = Rounded::Real;

// Coefficient 0: the operation itself.
double value_at(Op op, double u) { return expr::apply_unary(op, u); }
Rounded value_at(Op op, Rounded u) {
  return linear::apply_rounded([op](Real at) { return expr::apply_unary(op, at); }, u);
}

double power_at(double u, double r) { return expr::apply_power(u, r); }
Rounded power_at(Rounded u, double r) {
  return linear::apply_rounded([r](Real at) { return expr::apply_power(at, r); }, u);
}

double varying_power_at(double u, double v) { return std::pow(u, v); }
Rounded varying_power_at(Rounded u, Rounded v) {
  const Rounded by_base = linear::apply_rounded([&](Real at) { return std::pow(at, v.value); }, u);
  const Rounded by_exponent =
      linear::apply_rounded([&](Real at) { return std::pow(u.value, at); }, v);
  return {by_base.value, by_base.error + by_exponent.error};
}

double angle_at(double y, double x) { return std::atan2(y, x); }
Rounded angle_at(Rounded y, Rounded x) {
  const Real r2 = x.value * x.value + y.value * y.value;
  const Real propagated =
      r2 > 0 ? (std::abs(x.value) * y.error + std::abs(y.value) * x.error) / r2 : 0;
  return linear::rounding::result(std::atan2(y.value, x.value), propagated);
}

}  // namespace

template <typename Scalar>
SeriesTable<Scalar>::SeriesTable(const Tape& tape, int num_orders, int num_lanes)
    : tape_(&tape),
      num_lanes_(num_lanes),
      stride_(linear::padded_width(tape.entries().size() * num_lanes)),
      num_orders_(num_orders),
      origins_(num_lanes),
      table_(stride_ * static_cast<std::size_t>(num_orders) + kernel_overrun, Scalar(0.0)) {
  std::uint32_t largest_shift = 0;
  for (const TapeEntry& entry : tape.entries())
    if (entry.instruction == Instruction::shift)
      largest_shift = std::max(largest_shift, entry.index);
  reciprocal_powers_.assign((largest_shift + 1) * num_lanes_, 1.0);
}

template <typename Scalar>
void SeriesTable<Scalar>::set_origin(const Origin& origin, int lane) {
  origins_[lane] = origin;
  for (std::size_t at = num_lanes_ + lane; at < reciprocal_powers_.size(); at += num_lanes_)
    reciprocal_powers_[at] = reciprocal_powers_[at - num_lanes_] / origin.scale;
}

template <typename Scalar>
Scalar SeriesTable<Scalar>::coefficient(std::uint32_t slot, int k, int lane) const {
  const TapeEntry& entry = tape_->entries()[slot];
  const auto argument = [&](std::size_t a) { return series(tape_->arguments(entry)[a], lane); };
  switch (entry.instruction) {
    case Instruction::constant: return k == 0 ? written<Scalar>(entry.number) : 0.0;
    case Instruction::parameter:
      return k == 0 ? written<Scalar>(origins_[lane].parameters[entry.index]) : 0.0;
    case Instruction::time:
      return k == 0 ? origins_[lane].time : (k == 1 ? origins_[lane].scale : 0.0);
    case Instruction::unknown:
    case Instruction::derivative: return at(slot, k, lane);
    case Instruction::shift:
      return Scalar(shift_factor(static_cast<int>(entry.index), k, lane)) *
             argument(0)[k + static_cast<int>(entry.index)];
    case Instruction::affine: return affine(entry, k, lane);
    case Instruction::multiply: return multiply_rule(k, argument(0), argument(1));
    case Instruction::square: return square_rule(k, argument(0));
    case Instruction::divide: return divide_rule(k, argument(0), argument(1), series(slot, lane));
    case Instruction::power:
      return k == 0 ? power_at(argument(0)[0], entry.number)
                    : power_rule(k, argument(0), entry.number, series(slot, lane));
    case Instruction::steady_power: {
      const double exponent = linear::value_of(argument(1)[0]);
      return k == 0 ? power_at(argument(0)[0], exponent)
                    : power_rule(k, argument(0), exponent, series(slot, lane));
    }
    case Instruction::varying_power:
      return k == 0 ? varying_power_at(argument(2)[0], argument(3)[0])
                    : function_rule(k, argument(0), series(slot, lane));
    case Instruction::function: return function(entry, k, lane);
    case Instruction::piecewise: return piecewise(entry, k, lane);
  }
  return 0.0;
}

template <typename Scalar>
Scalar SeriesTable<Scalar>::term_factor(const TapeEntry& entry, std::size_t a, int lane) const {
  const Scalar coefficient = written<Scalar>(tape_->coefficients(entry)[a]);
  const std::uint32_t factor = tape_->factors(entry)[a];
  return factor == no_slot ? coefficient : coefficient * at(factor, 0, lane);
}

template <typename Scalar>
Scalar SeriesTable<Scalar>::affine(const TapeEntry& entry, int k, int lane) const {
  const auto slots = tape_->arguments(entry);
  Scalar sum = k == 0 ? written<Scalar>(entry.number) : 0.0;
  for (std::size_t a = 0; a < slots.size(); ++a)
    sum += term_factor(entry, a, lane) * at(slots[a], k, lane);
  return sum;
}

template <typename Scalar>
Scalar SeriesTable<Scalar>::function(const TapeEntry& entry, int k, int lane) const {
  const auto slots = tape_->arguments(entry);
  if (entry.op == Op::atan2) {
    const View y = series(slots[0], lane), by_y = series(slots[1], lane);
    const View x = series(slots[2], lane), minus_by_x = series(slots[3], lane);
    if (k == 0) return angle_at(y[0], x[0]);
    return function_rule(k, y, by_y) - function_rule(k, x, minus_by_x);
  }
  const View u = series(slots[0], lane);
  return k == 0 ? value_at(entry.op, u[0]) : function_rule(k, u, series(slots[1], lane));
}

// The branch is chosen by the values at the point; its derivatives are those of the branch.
template <typename Scalar>
std::uint32_t SeriesTable<Scalar>::active_branch(const TapeEntry& entry, int lane) const {
  const auto slots = tape_->arguments(entry);
  if (slots.size() == 1) return slots[0];
  const double first = linear::value_of(at(slots[0], 0, lane)),
               second = linear::value_of(at(slots[1], 0, lane));
  return (entry.op == Op::min ? first < second : first > second) ? slots[0] : slots[1];
}

template <typename Scalar>
Scalar SeriesTable<Scalar>::piecewise(const TapeEntry& entry, int k, int lane) const {
  const std::uint32_t branch = active_branch(entry, lane);
  const double value = linear::value_of(at(branch, 0, lane));
  if (entry.op == Op::sign) return k == 0 ? expr::apply_unary(Op::sign, value) : 0.0;
  if (entry.op == Op::abs) return value < 0 ? -at(branch, k, lane) : at(branch, k, lane);
  return at(branch, k, lane);
}

template <typename Scalar>
Scalar SeriesTable<Scalar>::change(std::uint32_t slot, int k, std::span<const Scalar> changes,
                                   std::span<const int> offset, int lane) const {
  const TapeEntry& entry = tape_->entries()[slot];
  const auto slots = tape_->arguments(entry);
  const auto value = [&](std::size_t a) { return at(slots[a], 0, lane); };
  const auto d = [&](std::size_t a) {
    return offset[slots[a]] == offset[slot] ? changes[slots[a] * num_lanes_ + lane] : Scalar(0.0);
  };
  switch (entry.instruction) {
    case Instruction::constant:
    case Instruction::parameter:
    case Instruction::time: return 0.0;
    case Instruction::unknown:
    case Instruction::derivative: return changes[slot * num_lanes_ + lane];
    case Instruction::shift:
      return Scalar(shift_factor(static_cast<int>(entry.index), k, lane)) *
             changes[slots[0] * num_lanes_ + lane];
    case Instruction::affine: {
      Scalar sum = 0.0;
      for (std::size_t a = 0; a < slots.size(); ++a) sum += term_factor(entry, a, lane) * d(a);
      return sum;
    }
    case Instruction::multiply: return value(1) * d(0) + value(0) * d(1);
    case Instruction::square: return Scalar(2.0) * value(0) * d(0);
    case Instruction::divide: return (d(0) - at(slot, 0, lane) * d(1)) / value(1);
    case Instruction::power: return Scalar(entry.number) * at(slot, 0, lane) / value(0) * d(0);
    case Instruction::steady_power: return value(1) * at(slot, 0, lane) / value(0) * d(0);
    case Instruction::varying_power: return at(slot, 0, lane) * d(0);
    case Instruction::function:
      return entry.op == Op::atan2 ? value(1) * d(0) - value(3) * d(2) : value(1) * d(0);
    case Instruction::piecewise: {
      const std::uint32_t branch = active_branch(entry, lane);
      if (entry.op == Op::sign) return 0.0;
      const Scalar by = d(branch == slots[0] ? 0 : 1);
      return entry.op == Op::abs && linear::value_of(at(branch, 0, lane)) < 0 ? -by : by;
    }
  }
  return 0.0;
}

template class SeriesTable<double>;
template class SeriesTable<Rounded>;

}  // namespace daedal::taylor
