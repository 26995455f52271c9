// The library's own way into a Solution.
#pragma once

#include <atomic>
#include <memory>

#include "daedal/solution.hpp"
#include "solution/outputs.hpp"
#include "solution/trajectory.hpp"

namespace daedal {

class SolutionAccess {
 public:
  // Steps from now on have this layout; outputs are evaluated with the present parameters.
  static void keep_steps(Solution& solution, const solution::StepLayout& layout) {
    keep_steps(solution, layout, solution.parameters_);
  }
  static void keep_steps(Solution& solution, const solution::StepLayout& layout,
                         const std::vector<double>& parameters) {
    if (!solution.trajectory_) solution.trajectory_ = std::make_shared<solution::Trajectory>();
    own_trajectory(solution).begin_leg(layout, parameters);
  }
  static void forget_steps(Solution& solution) { solution.trajectory_.reset(); }
  static void set_parameters(Solution& solution, const std::vector<double>& parameters) {
    solution.parameters_ = parameters;
  }
  static const std::vector<double>& parameters(const Solution& solution) {
    return solution.parameters_;
  }
  static void keep_outputs(Solution& solution, std::shared_ptr<const solution::Outputs> outputs,
                           std::vector<double> parameters) {
    solution.outputs = outputs->names();
    solution.num_discretes = outputs->num_discretes();
    solution.output_functions_ = std::move(outputs);
    solution.parameters_ = std::move(parameters);
  }
  static std::vector<double> outputs_at(const Solution& solution, double t,
                                        const solution::Outputs::Derivative& derivative) {
    return solution.output_functions_->values(t, solution.parameters_, derivative);
  }
  // Null if no steps were kept.
  static const solution::Trajectory* trajectory(const Solution& solution) {
    return solution.trajectory_.get();
  }
  static const solution::Outputs* output_functions(const Solution& solution) {
    return solution.output_functions_.get();
  }
  static void append(Solution& solution, const solution::StepView& step) {
    own_trajectory(solution).append(step);
  }

 private:
  // Shared by no other solution from here on.
  static solution::Trajectory& own_trajectory(Solution& solution) {
    if (solution.trajectory_.use_count() > 1)
      solution.trajectory_ = std::make_shared<solution::Trajectory>(*solution.trajectory_);
    else  // a copy in another thread may just have gone: what it read was read before
      std::atomic_thread_fence(std::memory_order_acquire);
    return *solution.trajectory_;
  }
};

}  // namespace daedal
