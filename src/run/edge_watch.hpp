// Whether a step of a method that knows no series came to the edge of an operation's domain, or
// passed it; or passed something else that an operation does between the ends of the step. On an
// ordinary step the arguments of operations are bounded, all at once, while the unknowns move as
// far as their polynomials may take them; that none comes near its edge, and none goes far, is the
// end of it. Otherwise the operations are followed by their values on the step, and where one looks
// suspicious the Taylor method decides.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "integrate/taylor/taylor_integrator.hpp"
#include "run/passed_features.hpp"
#include "run/series_opinion.hpp"
#include "solution/step_source.hpp"
#include "taylor/interpreter.hpp"
#include "taylor/tape_ranges.hpp"

namespace daedal::run {

// Whether a method notices that abs, sign, min or max have gone over to another branch: error
// control does, the polynomials of a derivative array do not.
enum class Branches { noticed, unnoticed };

class EdgeWatch {
 public:
  // Keeps references.
  EdgeWatch(plan::Plan& plan, const settings::Settings& settings,
            Branches branches = Branches::noticed);

  // What it has seen, both ways.
  template <typename Archive>
  void transfer_state(Archive& archive) {
    std::vector<double> largest;
    for (const Edge& edge : edges_) largest.push_back(edge.largest);
    archive(largest, next_question_, patience_);
    is_state_good_ = largest.size() == edges_.size();
    if (!is_state_good_) return;
    for (std::size_t k = 0; k < edges_.size(); ++k) edges_[k].largest = largest[k];
  }
  bool is_state_good() const { return is_state_good_; }
  void forget_passed() { passed_at_.reset(); }

  // After a step, before it is recorded: why the run ends, and where. These equations hold up to
  // `horizon`.
  std::optional<explain::StopReason> look(const solution::StepSource& run, double horizon,
                                          long num_steps);

  // Whether the reason is that an operation does something inside the step, not at an edge.
  bool has_passed_feature() const { return has_passed_feature_; }

 private:
  static constexpr int num_inside = 7;  // points of a step between its ends
  struct Edge {
    expr::NodeId argument;
    double value;
    bool is_branch = false;                          // the operation is defined after it, too
    double largest = 0.0;                            // distance on the way
    std::array<double, num_inside + 2> distances{};  // along the step
  };
  enum class Finding { inside, near, passed, switched, feature };
  // A value that the tape is given: an unknown or a derivative of it.
  struct Leaf {
    std::uint32_t slot;
    int unknown, order;
  };
  void add(expr::NodeId argument, double value, bool is_branch);
  void prepare_ranges();
  void find_ranges(const solution::StepView& step, const solution::StepLayout& layout);
  bool is_far_from_edges();
  std::optional<explain::StopReason> look_at_edges(const solution::StepSource& run, double horizon,
                                                   long num_steps);
  std::optional<explain::StopReason> look_at_features(const solution::StepSource& run,
                                                      long num_steps);
  bool holds_at(const solution::StepSource& run, double t);
  bool series_agree(const solution::StepSource& run, double t, long num_steps);
  std::vector<std::vector<double>> values_at(const solution::StepSource& run, double t) const;
  static bool is_far(const Edge& edge, expr::Range distance);
  Finding finding(const Edge& edge, const solution::StepView& step);
  Finding finding(const solution::StepView& step, const solution::StepLayout& layout);
  double distance_at(const Edge& edge, double t);
  bool dips_to_edge(const Edge& edge, double begin, double end);
  void evaluate_at(double t);
  explain::StopReason passes_over(Finding found, const solution::StepView& step,
                                  long num_steps) const;
  bool agrees(const solution::StepSource& run, double t, const std::vector<double>& values,
              double tolerances) const;

  plan::Plan& plan_;
  const settings::Settings& settings_;
  std::unique_ptr<expr::Graph> graph_;
  std::vector<expr::NodeId> arguments_;
  std::vector<Edge> edges_;
  std::unique_ptr<taylor::Tape> tape_;
  std::unique_ptr<taylor::Interpreter> interpreter_;
  std::unique_ptr<taylor::TapeRanges> ranges_;  // of the arguments over a step
  std::vector<Leaf> leaves_;
  std::optional<PassedFeatures> features_;
  // What the equations say inside a step; made where it is asked for first.
  std::optional<integrate::TaylorIntegrator> series_;
  const solution::StepView* step_ = nullptr;
  const solution::StepLayout* layout_ = nullptr;
  long next_question_ = 0, patience_ = 16;  // in steps
  bool is_state_good_ = true;               // that was read
  bool has_passed_feature_ = false;
  // Where something was passed over by a step that was taken back: the step that passes it in the
  // end is held against the series, whatever it shows.
  std::optional<double> passed_at_;
};

}  // namespace daedal::run
