// Events that come ever faster and never get beyond a certain time (Zeno behaviour).
#pragma once

#include <array>
#include <optional>

namespace daedal::hybrid {

// Receives the times of the events of one clause, one after another. Intervals d_k = t_k - t_{k-1}
// that shrink like r^k, r < 1, end at
//
//   L_k = t_k + d_k^2/(d_{k-1} - d_k)          Aitken's delta-squared process on the last three
//   times.
//
// They are taken to shrink so if the last 6 intervals have ratios below 0.999 that agree to 10%,
// and if the last L_k move by less than d_k/20. The second condition separates r^k from k^-a, whose
// ratios come as close to each other as one likes: there L_k moves by d_k/a, and by d_k if a = 1.
// A bouncing ball has r = its restitution, and every L_k is exact up to rounding.
// When d_k comes near the rounding of t_k, no limit is seen any more: ask after every event.
class Accumulation {
 public:
  // Times go one way, forwards or backwards; where they turn or repeat, counting begins anew.
  void add(double time);
  void clear() { num_times_ = 0; }
  template <typename Archive>
  friend void transfer(Archive& archive, Accumulation& accumulation) {
    archive(accumulation.times_, accumulation.num_times_);
  }
  // Whether what was read from a checkpoint makes sense.
  bool is_good() const { return num_times_ >= 0 && num_times_ <= capacity; }

  // The time at which the events accumulate; none while they do not seem to.
  std::optional<double> limit() const;
  // Its distance from the last event; infinite if there is none.
  double remaining() const;

 private:
  static constexpr int num_intervals = 6;
  static constexpr int capacity = num_intervals + 1;

  double interval(int k) const { return times_[k + 1] - times_[k]; }
  double extrapolated(int k) const;  // from intervals k - 1 and k

  std::array<double, capacity> times_{};  // the last ones, oldest first
  int num_times_ = 0;
};

}  // namespace daedal::hybrid
