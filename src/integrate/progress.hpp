// Steps that are accepted one by one and lead nowhere. A run is hopeless if so many steps in a row
// cover so little of it that all of it would take 10^12 of them: months, where a step takes a
// microsecond. Layers that are passed in fewer steps, however short, do no harm.
#pragma once

#include <cmath>

namespace daedal::integrate {

class Progress {
 public:
  static constexpr long many = 100000;
  static constexpr double hardly_any = 1e-7;  // of the duration

  void begin(double t, double duration) {
    looked_at_ = t;
    duration_ = duration;
    num_steps_ = 0;
    is_hopeless_ = false;
  }
  // After an accepted step.
  void add(double t) {
    if (++num_steps_ < many) return;
    covered_ = std::abs(t - looked_at_);
    is_hopeless_ = covered_ <= hardly_any * duration_;
    looked_at_ = t;
    num_steps_ = 0;
  }
  bool is_hopeless() const { return is_hopeless_; }
  double covered() const { return covered_; }  // by the last `many` steps
  double duration() const { return duration_; }
  template <typename Archive>
  friend void transfer(Archive& archive, Progress& progress) {
    archive(progress.looked_at_, progress.duration_, progress.covered_, progress.num_steps_,
            progress.is_hopeless_);
  }

 private:
  double looked_at_ = 0.0, duration_ = 0.0, covered_ = 0.0;
  long num_steps_ = 0;
  bool is_hopeless_ = false;
};

}  // namespace daedal::integrate
