#include "run/drive.hpp"

#include <algorithm>

namespace daedal::run {
namespace {

using Outcome = Lanes::Outcome;

bool is_under_way(const Run* run) { return run != nullptr && run->is_under_way(); }

class SingleLane : public Lanes {
 public:
  explicit SingleLane(Run& run) : run_(&run) {}
  std::span<Run* const> runs() override { return {&run_, 1}; }
  std::span<const Outcome> advance() override {
    outcome_ = run_->stepper().advance() ? Outcome::accepted : Outcome::stuck;
    return {&outcome_, 1};
  }
  void replace(int /*lane*/) override {}

 private:
  Run* run_;
  Outcome outcome_ = Outcome::rejected;
};

// Steps first: to explain a failure the series of its lane are computed again, and with them what
// is known of the last steps of the others. What goes on from a step comes last, for the same
// reason.
void take(std::span<Run* const> runs, std::span<const Outcome> outcomes) {
  const auto for_each = [&](Outcome outcome, auto act) {
    for (std::size_t lane = 0; lane < runs.size(); ++lane)
      if (outcomes[lane] == outcome && is_under_way(runs[lane])) act(*runs[lane]);
  };
  for_each(Outcome::accepted, [](Run& run) { run.take_step(); });
  for_each(Outcome::stuck, [](Run& run) { run.take_failure(); });
  for_each(Outcome::accepted, [](Run& run) { run.go_on(); });
}

// The loop over steps.
void drive(Lanes& lanes, const std::function<bool()>& is_enough) {
  const std::span<Run* const> runs = lanes.runs();
  while (std::any_of(runs.begin(), runs.end(), is_under_way) && !(is_enough && is_enough())) {
    take(runs, lanes.advance());
    for (std::size_t lane = 0; lane < runs.size(); ++lane)
      if (runs[lane] != nullptr && !runs[lane]->is_under_way())
        lanes.replace(static_cast<int>(lane));
  }
}

}  // namespace

void drive(Lanes& lanes) { drive(lanes, {}); }

void drive(Run& run, const std::function<bool()>& is_enough) {
  SingleLane lane(run);
  drive(lane, is_enough);
}

}  // namespace daedal::run
