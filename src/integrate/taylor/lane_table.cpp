#include "integrate/taylor/lane_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "taylor/kernels.hpp"

namespace daedal::integrate {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
constexpr double largest_condition = 1e8;

// h^n/n!
double unit(double h, int n) {
  double result = 1.0;
  for (int k = 1; k <= n; ++k) result *= h / k;
  return result;
}

}  // namespace

LaneTable::LaneTable(taylor::SeriesSolver& series, const SeriesShape& shape, double tolerance)
    : series_(series),
      shape_(shape),
      num_lanes_(series.num_lanes()),
      width_(shape.unknowns.size() * num_lanes_),
      scales_(tolerance, shape, series.num_lanes()),
      limits_(shape, scales_),
      is_chosen_(num_lanes_, 0),
      may_jump_(num_lanes_, 0),
      t_new_(num_lanes_, 0.0),
      new_scale_(num_lanes_, 1.0),
      block_of_(shape.num_columns()) {
  const auto padded = [](std::size_t size) { return size + taylor::kernel_overrun; };
  const int highest = shape.highest_local_order(), num_rows = shape.layout.num_rows;
  for (Series* s : {&current_, &accepted_}) {
    s->coefficients.assign(padded(width_ * num_rows), 0.0);
    s->begin = s->end = std::vector(num_lanes_, 0.0);
    s->scale.assign(num_lanes_, 1.0);
  }
  for (auto* values : {&predicted_, &magnitude_, &lost_, &lost_now_})
    values->assign(padded(width_ * (highest + 1)), 0.0);
  for (auto* row : {&s_, &factor_}) row->assign(padded(width_), 1.0);
  for (auto* row : {&no_noise_, &noise_}) row->assign(padded(width_), rounding);
  for (auto* values : {&longest_, &errors_, &by_lane_, &power_, &allowed_})
    values->assign(padded(num_lanes_), 0.0);
  for (const taylor::BlockSchedule& block : series.schedule().blocks)
    for (int k = 0; k < block.size(); ++k)
      block_of_[shape.layout.column[block.unknowns[k]]] =
          block.fine_blocks[block.is_diagonal ? k : 0];
  for (const SeriesShape::Range& range : shape.ranges) {
    const int d = range.local_order;
    for (int n = 0; n < d; ++n) judged_.push_back({range.first, range.last, n, n, 1.0, false});
    judged_.push_back({range.first, range.last, d, std::max(d - 1, 0),
                       d > 0 ? static_cast<double>(range.degree + 2 - d) / d : 1.0, true});
  }
  binomials_.assign(num_rows * (highest + 1), 1.0);
  for (int n = 1; n <= highest; ++n)
    for (int k = n + 1; k < num_rows; ++k)  // C(k, n) = C(k-1, n) k/(k-n)
      binomials_[n * num_rows + k] = binomials_[n * num_rows + k - 1] * k / (k - n);
}

void LaneTable::spread(const std::vector<double>& by_lane, Numbers& row) const {
  if (num_lanes_ == 1) {
    std::fill_n(row.data(), width_, by_lane[0]);
    return;
  }
  for (std::size_t at = 0; at < width_; at += num_lanes_)
    for (std::size_t lane = 0; lane < num_lanes_; ++lane) row[at + lane] = by_lane[lane];
}

void LaneTable::begin(int lane) {
  for (std::size_t at = lane; at < lost_.size(); at += num_lanes_) lost_[at] = 0.0;
}

std::vector<double> LaneTable::lost(int lane) const {
  std::vector<double> lost;
  for (std::size_t at = lane; at < lost_.size(); at += num_lanes_) lost.push_back(lost_[at]);
  return lost;
}

void LaneTable::set_lost(int lane, const std::vector<double>& lost) {
  for (std::size_t k = 0; k < lost.size(); ++k) lost_[k * num_lanes_ + lane] = lost[k];
}

void LaneTable::keep_at_start(int lane, double t) {
  are_steps_begun_ = false;
  double* to = current_.coefficients.data() + lane;
  for (int k = 0; k < shape_.layout.num_rows; ++k) {
    const double* row = series_.row(k) + lane;
    for (std::size_t at = 0; at < width_; at += num_lanes_) to[k * width_ + at] = row[at];
  }
  current_.begin[lane] = current_.end[lane] = t;
  current_.scale[lane] = series_.scale(lane);
}

void LaneTable::keep_chosen() {
  if (std::ranges::none_of(is_chosen_, [](char is_chosen) { return is_chosen != 0; })) return;
  are_steps_begun_ = false;
  std::swap(current_, accepted_);
  std::swap(lost_, lost_now_);
  for (int k = 0; k < shape_.layout.num_rows; ++k)
    std::copy_n(series_.row(k), width_, current_.coefficients.data() + k * width_);
  for (int lane = 0; lane < num_lanes(); ++lane) {
    if (is_chosen_[lane] != 0) {
      accepted_.end[lane] = current_.begin[lane] = current_.end[lane] = t_new_[lane];
      current_.scale[lane] = new_scale_[lane];
      scales_.forget_slowly(lane);
    } else {
      const auto copy_lane = [&](const Numbers& from, Numbers& to) {
        for (std::size_t at = lane; at < from.size(); at += num_lanes_) to[at] = from[at];
      };
      copy_lane(accepted_.coefficients, current_.coefficients);
      copy_lane(lost_now_, lost_);
      current_.begin[lane] = accepted_.begin[lane];
      current_.end[lane] = accepted_.end[lane];
      current_.scale[lane] = accepted_.scale[lane];
    }
  }
}

void LaneTable::begin_steps() {
  if (std::exchange(are_steps_begun_, true)) return;
  std::fill(by_lane_.begin(), by_lane_.end(), 1.0);  // n!/s^n
  const double* x = current_.coefficients.data();
  for (int n = 0; shape_.num_judged(n) > 0; x += width_) {
    spread(by_lane_, factor_);
    scales_.set_sizes(n, x, factor_.data());
    ++n;
    for (std::size_t lane = 0; lane < num_lanes_; ++lane)
      by_lane_[lane] *= n / current_.scale[lane];
  }
  limits_.find(current_.coefficients.data(), current_.scale, std::span(longest_).first(num_lanes_));
}

bool LaneTable::drop_stages_for(int lane, double step) {
  for (int count = 1; count < shape_.layout.num_rows; ++count) {
    if (limits_.length_without(count, current_.coefficients.data(), current_.scale[lane], lane) <
        step)
      continue;
    drop_stages(lane, count);
    return true;
  }
  return false;
}

void LaneTable::drop_stages(int lane, int count) {
  for (int c = 0; c < shape_.num_columns(); ++c)
    for (int k = shape_.layout.degree(shape_.unknowns[c]) - count + 1; k < shape_.layout.num_rows;
         ++k)
      current_.coefficients[k * width_ + c * num_lanes_ + lane] = 0.0;
}

void LaneTable::set_target(int lane, double t_new, double scale) {
  t_new_[lane] = t_new;
  new_scale_[lane] = scale;
}

void LaneTable::predict() {
  const int num_rows = shape_.layout.num_rows;
  for (std::size_t lane = 0; lane < num_lanes_; ++lane)
    by_lane_[lane] = (t_new_[lane] - current_.begin[lane]) / current_.scale[lane];
  spread(by_lane_, s_);
  std::fill(by_lane_.begin(), by_lane_.end(), 1.0);
  for (int n = 0; n <= shape_.highest_local_order(); ++n) {
    const std::size_t count = shape_.num_with_order(n) * num_lanes_, row = n * width_;
    spread(by_lane_, factor_);
    taylor::best_kernels().horner({current_.coefficients.data(), width_}, n + 1, num_rows - 1,
                                  s_.data(), binomials_.data() + n * num_rows,
                                  predicted_.data() + row, count);
    taylor::best_kernels().predict({.x = current_.coefficients.data() + row,
                                    .rest = predicted_.data() + row,
                                    .s = s_.data(),
                                    .lost = lost_.data() + row,
                                    .factor = factor_.data(),
                                    .predicted = predicted_.data() + row,
                                    .lost_now = lost_now_.data() + row,
                                    .magnitude = magnitude_.data() + row},
                                   count);
    std::copy_n(predicted_.data() + row, count, series_.row(n));
    for (std::size_t lane = 0; lane < num_lanes_; ++lane)
      by_lane_[lane] *= new_scale_[lane] / current_.scale[lane];
  }
  set_weights(predicted_.data());
}

// The weights are not multiplied by the tolerance, which would change no projection but make its
// matrix look singular.
void LaneTable::set_weights(const double* values) {
  are_steps_begun_ = false;
  std::fill(factor_.begin(), factor_.end(), 1.0);
  scales_.set_sizes(0, values, factor_.data());
  for (int c = 0; c < shape_.num_columns(); ++c)
    series_.set_weights(shape_.unknowns[c], scales_.scales(0) + c * num_lanes_);
}

void LaneTable::find_noise() {
  for (int c = 0; c < shape_.num_columns(); ++c) {
    double* noise = noise_.data() + c * num_lanes_;
    if (c > 0 && block_of_[c] == block_of_[c - 1]) {
      const double* same = noise - num_lanes_;
      for (std::size_t lane = 0; lane < num_lanes_; ++lane) noise[lane] = same[lane];
      continue;
    }
    for (int lane = 0; lane < num_lanes(); ++lane)
      noise[lane] = rounding * std::min(series_.condition(block_of_[c], lane), largest_condition);
  }
}

// tol times the scale for what the next step starts from, measured in h^n x^(n)/n!; for the first
// coefficient that is solved for, the larger error that differentiating the polynomial once more
// brings.
void LaneTable::prepare_comparison(const Judged& judged) {
  for (std::size_t lane = 0; lane < num_lanes_; ++lane) {
    const double h = std::abs(t_new_[lane] - current_.begin[lane]);
    double power = 1.0;
    for (int n = 0; n < judged.n; ++n) power *= h / new_scale_[lane];
    power_[lane] = power;
    allowed_[lane] = judged.is_solved_for && may_jump_[lane] != 0
                         ? unlimited
                         : judged.amplified * scales_.tolerance() * unit(h, judged.state);
  }
}

void LaneTable::compare() {
  find_noise();
  std::fill(errors_.begin(), errors_.end(), 0.0);
  for (const Judged& judged : judged_) {
    prepare_comparison(judged);
    const std::size_t first = judged.first * num_lanes_, at = judged.n * width_ + first;
    taylor::best_kernels().largest_error(
        {.found = series_.row(judged.n) + first,
         .predicted = predicted_.data() + at,
         .scale = scales_.scales(judged.state) + first,
         .noise = (judged.is_solved_for ? noise_ : no_noise_).data() + first,
         .magnitude = magnitude_.data() + at,
         .power = power_.data(),
         .allowed = allowed_.data()},
        judged.last - judged.first, num_lanes_, errors_.data());
  }
}

int LaneTable::worst_unknown(int lane) const {
  double worst = -1.0;
  int result = -1;
  for (const Judged& judged : judged_) {
    for (int c = judged.first; c < judged.last; ++c) {
      const std::size_t column = c * num_lanes_ + lane, at = judged.n * width_ + column;
      const double h = std::abs(t_new_[lane] - current_.begin[lane]);
      const double difference = std::abs(series_.row(judged.n)[column] - predicted_[at]) *
                                std::pow(h / new_scale_[lane], judged.n);
      const double noise = (judged.is_solved_for ? noise_ : no_noise_)[column] * magnitude_[at];
      const double error =
          difference / (judged.amplified * scales_.tolerance() * unit(h, judged.state) *
                            scales_.scales(judged.state)[column] +
                        noise);
      if ((judged.is_solved_for && may_jump_[lane] != 0) || error <= worst) continue;
      worst = error;
      result = shape_.unknowns[c];
      if (std::isnan(error)) return result;
    }
  }
  return result;
}

}  // namespace daedal::integrate
