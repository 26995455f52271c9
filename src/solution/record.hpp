// What a Solution holds, open to the library: a run writes it as it goes.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daedal/solution.hpp"
#include "solution/outputs.hpp"
#include "solution/trajectory.hpp"

namespace daedal::solution {

// Each member that a user reads is described at the function of Solution that has its name.
struct Record {
  Status status = Status::ok;
  std::vector<Problem> problems;
  std::vector<Problem> warnings;
  std::vector<std::string> variables;
  std::vector<std::string> outputs;
  int num_discretes = 0;
  std::string method;
  std::string method_reason;
  bool converted = false;
  std::string kernel = "interpreter";
  int order = 0;
  double tolerance = 0.0;
  double t = 0.0;
  ConsistentPoint start;
  std::vector<double> final;
  std::vector<double> final_outputs;
  std::vector<std::vector<double>> final_derivatives;
  std::vector<Sample> at;
  std::vector<double> step_times;
  std::vector<StepNote> step_notes;
  std::vector<Singularity> singularities;
  std::vector<Indicator> indicators;
  std::vector<Event> events;
  std::vector<ModeMet> modes;
  int num_modes = 0;
  std::optional<Zeno> zeno;
  std::vector<StateVector> state_vectors;
  std::optional<Verification> verification;
  Statistics statistics;
  Seconds seconds;

  std::shared_ptr<const Outputs> output_functions;
  std::vector<double> parameters;          // that outputs are evaluated with
  std::shared_ptr<Trajectory> trajectory;  // null if no steps were kept; read by copies, too

  bool ok() const { return status == Status::ok; }

  void keep_outputs(std::shared_ptr<const Outputs> functions, std::vector<double> values) {
    outputs = functions->names();
    num_discretes = functions->num_discretes();
    output_functions = std::move(functions);
    parameters = std::move(values);
  }
  std::vector<double> outputs_at(double time, const Outputs::Derivative& derivative) const {
    return output_functions->values(time, parameters, derivative);
  }

  // Steps from now on have this layout; outputs are evaluated with the present parameters, or
  // these.
  void keep_steps(const StepLayout& layout) { keep_steps(layout, parameters); }
  void keep_steps(const StepLayout& layout, const std::vector<double>& values) {
    if (!trajectory) trajectory = std::make_shared<Trajectory>();
    own_trajectory().begin_leg(layout, values);
  }
  void append(const StepView& step) { own_trajectory().append(step); }

 private:
  // Shared by no other record from here on.
  Trajectory& own_trajectory() {
    if (trajectory.use_count() > 1)
      trajectory = std::make_shared<Trajectory>(*trajectory);
    else  // a copy in another thread may just have gone: what it read was read before
      std::atomic_thread_fence(std::memory_order_acquire);
    return *trajectory;
  }
};

}  // namespace daedal::solution
