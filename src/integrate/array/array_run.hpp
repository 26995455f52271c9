// A trajectory by derivative arrays: Taylor steps whose end is the nearest point that satisfies the
// array [EstevezLamour2019, sec. 6]; docs/theory/derivative-array.md, rules A5 and A7.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "integrate/event_source.hpp"
#include "reduce/array/array_solver.hpp"
#include "reduce/array/array_study.hpp"

namespace daedal::integrate {

struct ArrayOptions {
  double tolerance = 1e-9;
  double max_step = 0.0;  // > 0
  int order = 0;          // of the polynomials
};

// A dip of the smallest singular value of B^[index] that is not zero, relative to the largest, of
// rows that had norm 1 at the start and columns in nominal values and powers of the model's pace.
struct RankLoss {
  double t = 0.0;
  double smallest = 0.0;      // singular value there
  double condition = 0.0;     // sigma_max/sigma_r of B itself there
  double usual = 0.0;         // the median of `smallest` before
  std::vector<int> unknowns;  // of the first-order form: those that are no longer determined
};

// What the array is like at some time.
struct ArrayIndicator {
  double t = 0.0;
  double condition = 0.0;  // sigma_max/sigma_r of B^[index]
  double smallest = 0.0;   // sigma_r/sigma_max with rows that had norm 1 at the start
};

template <typename Archive>
void transfer(Archive& archive, RankLoss& loss) {
  archive(loss.t, loss.smallest, loss.condition, loss.usual, loss.unknowns);
}
template <typename Archive>
void transfer(Archive& archive, ArrayIndicator& indicator) {
  archive(indicator.t, indicator.condition, indicator.smallest);
}

class ArrayRun : public EventSource {
 public:
  // Holds references. `finding` is that of the start.
  ArrayRun(reduce::ArrayStudy& study, reduce::FirstOrderForm& form,
           const std::vector<double>& parameters, const reduce::ArrayFinding& finding,
           const ArrayOptions& options);

  // The coefficients at t from those of the start; false if there are none.
  bool begin(double t, double end);
  // All that the steps depend on, both ways; reading takes the place of begin().
  template <typename Archive>
  void transfer_state(Archive& archive) {
    std::vector<double> z(z_.begin(), z_.end()), last(last_.begin(), last_.end());
    archive(t_, end_, begin_, scale_, last_scale_, trial_, z, last, num_rejected_,
            num_factorisations_, num_iterations_, residual_, longest_, num_short_, was_finite_,
            was_rejected_, indicators_, losses_);
    z_ = Vector::Map(z.data(), static_cast<Eigen::Index>(z.size()));
    last_ = Vector::Map(last.data(), static_cast<Eigen::Index>(last.size()));
  }
  // Whether a state that was read fits the model.
  bool is_state_good() const;
  // One accepted step; false if none that changes t is possible.
  bool advance();
  // Takes the last step back; the next is no longer than this, later ones are up to twice as long
  // as the ones before.
  void take_back(double longest);
  void forget_limit() { limit_ = std::numeric_limits<double>::infinity(); }

  double t() const override { return t_; }
  double end() const override { return end_; }
  bool is_done() const override { return t_ == end_; }
  void go_on_to(double end) override { end_ = end; }
  solution::StepView accepted() const override { return {begin_, t_, last_scale_, last_.data()}; }
  solution::StepView current() const override { return {t_, end_, scale_, z_.data()}; }
  bool can_step() override { return proposed_step() > shortest_step(); }
  const std::vector<int>& orders() const override { return orders_; }

  void watch(std::vector<WatchedFunction> functions) override {
    events_.set_functions(std::move(functions));
  }
  std::vector<WatchedFunction> take_watched() override { return events_.take_functions(); }
  const std::vector<WatchedFunction>& watched() const override { return events_.functions(); }
  void arrive(std::span<const Arrival> arrivals) override { events_.set_arrivals(arrivals); }
  std::span<const Arrival> arrivals() const override { return events_.arrivals(); }
  int side_behind(const WatchedFunction& function) override;

  const solution::StepLayout& layout() const override { return layout_; }
  double derivative(int unknown, int order) const override;
  int highest_told(int) const override { return std::min(2, solver_.order()); }
  solution::StepQuality quality() const override { return {.residual = residual_}; }

  long num_rejected() const { return num_rejected_; }
  long num_factorisations() const { return num_factorisations_; }
  long num_iterations() const { return num_iterations_; }
  double residual() const { return residual_; }  // of the array at t, relative
  const std::vector<ArrayIndicator>& indicators() const { return indicators_; }
  const std::vector<RankLoss>& losses() const { return losses_; }
  double last_trial() const { return trial_; }  // length of the step tried last
  // Steps have become short, and are rejected all the same: rounding errors have taken over.
  bool is_stuck() const;
  bool is_rank_low() const;  // the array is near to losing rank
  bool was_finite() const { return was_finite_; }

 private:
  using Vector = reduce::Vector;

  bool is_growing(const Vector& z) const;
  double proposed_step() const;
  double scale_for(double h) const;
  double shortest_step() const;
  double weight(int unknown) const;
  // Largest |x - predicted| in tolerances, of the differentiated components and of the others. Free
  // components are as predicted by construction; their slopes tell whether that is right.
  struct Moved {
    double differentiated = 0.0, others = 0.0, slopes = 0.0;
  };
  Moved moved(const Vector& predicted, const Vector& z, double t, double h, double scale) const;
  // A step that is tried: to t, at a distance of h; coefficients there are in powers of a time
  // that is longer than h if the step ends early, at an event.
  struct Trial {
    double t = 0.0, h = 0.0, scale = 0.0;
    Vector predicted;
    reduce::ArraySolver::Found found;
  };
  Trial trial_to(double t, double h, double scale);
  Trial trial_to_event(Trial trial);
  void accept(double t, double scale, Vector z);
  bool make_step();
  bool cross_singularity();
  std::optional<double> singularity_ahead(double reach) const;
  bool try_crossing(const Vector& here, double singular, double t_new);
  void watch_rank();
  ArrayIndicator indicator_at(double t) const;
  bool is_rank_fading() const;
  reduce::Derivatives derivatives_at(double t) const;
  double usual_smallest() const;
  void follow_dip(double left, double right);
  double minimum_of_rank(double left, double right) const;
  RankLoss loss_at(double t) const;
  std::vector<int> undetermined_at(double t) const;

  reduce::ArrayStudy& study_;
  ArrayOptions options_;
  std::vector<double> nominals_;
  int index_, rank_;
  reduce::ArraySolver solver_;
  reduce::Derivatives start_;
  double pace_;  // of the model at the start
  solution::StepLayout layout_;
  std::vector<int> orders_;  // by unknown of the model
  EventWatch events_;
  double t_ = 0.0, end_ = 0.0, begin_ = 0.0, scale_ = 1.0, last_scale_ = 1.0, trial_ = 0.0;
  Vector z_, last_;  // coefficients at t, and those of the last step
  // The step can be taken back to these.
  Vector z_before_;
  double scale_before_ = 1.0, limit_ = std::numeric_limits<double>::infinity();
  std::size_t num_indicators_before_ = 0, num_losses_before_ = 0;
  long num_rejected_ = 0, num_factorisations_ = 0, num_iterations_ = 0;
  double residual_ = 0.0, longest_ = 0.0;
  int num_short_ = 0;
  bool was_finite_ = true, was_rejected_ = false;
  std::vector<ArrayIndicator> indicators_;
  std::vector<RankLoss> losses_;
};

}  // namespace daedal::integrate
