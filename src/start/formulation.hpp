// On which equations a model is solved: as they are written; in an equivalent form that conversions
// made of them, where structural analysis fails; or on their derivative array. The ladder is
// climbed here and nowhere else, and what was chosen, and why, is data.
//
//   1  as written   the system Jacobian is regular near the guesses and at the start
//   2  converted    it is not, but that of an equivalent model is, whose start agrees with the
//                   point that is nearest to the guesses on the equations as written
//   3  array        neither, or the Jacobian is singular at the start while the array is regular
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "daedal/initialize.hpp"
#include "plan/plan.hpp"
#include "start/array_model.hpp"

namespace daedal::start {

// Which rungs a method may stand on: the first two, all three, or the last alone.
enum class Ladder { structure, structure_or_array, array };

// The start time of a run, and the parameters and start values that take the place of the model's.
struct Beginning {
  double t = 0.0;
  std::vector<double> parameters;  // all of them
  std::vector<plan::OtherStart> starts = {};
  StartWeighting weights = StartWeighting::choosable;
};

class Formulation {
 public:
  enum class Form { as_written, converted, array };

  Form form() const { return form_; }
  bool is_array() const { return form_ == Form::array; }
  bool is_converted() const { return form_ == Form::converted; }
  // Why the ladder went on to the array; empty if it did not, or if nothing else was asked for.
  const std::string& why() const { return why_; }

  // The plan of the equations that are solved, and that of the equations as the user wrote them.
  plan::Plan& plan() { return is_converted() ? regular_->plan() : original(); }
  plan::Plan& original() { return regular_ ? regular_->original() : *plan_; }
  // The array and what was found on it; for the form array only.
  start::StudiedArray& array() { return *array_; }

  // Where a run begins, or why it does not.
  const ConsistentPoint& start() const { return start_; }

  // Begins another run of the same equations, which are not analysed again. False if the conversion
  // that was chosen does not hold for these parameters.
  bool begin(Beginning beginning);

  // Goes on to the array: a run has found that the solution of the converted model does not satisfy
  // the equations as written.
  void reject_conversion();

  // Wall-clock time that the last choice, or the last begin(), took.
  double seconds_of_analysis = 0.0, seconds_of_start = 0.0;

 private:
  friend Formulation choose_formulation(const model::ModelData& model, Beginning beginning,
                                        Ladder ladder);
  friend Formulation array_formulation(const model::ModelData& model, Beginning beginning,
                                       Ladder ladder);
  Formulation(Beginning beginning, Ladder ladder)
      : beginning_(std::move(beginning)), ladder_(ladder) {}
  void take_beginning();
  void choose_array(std::string why);
  void begin_on_structure();

  Beginning beginning_;
  Ladder ladder_;
  Form form_ = Form::as_written;
  std::string why_;
  std::unique_ptr<plan::RegularizedModel> regular_;  // if structure was tried
  std::unique_ptr<plan::Plan> plan_;                 // otherwise
  std::unique_ptr<start::StudiedArray> array_;
  ConsistentPoint start_;
};

// Keeps a reference to the model. Throws what make_plan throws.
Formulation choose_formulation(const model::ModelData& model, Beginning beginning, Ladder ladder);

// The rungs one by one, for ladders that begin with structure; modes do so whatever the method,
// because laws of jumps need series. Why what structural analysis says of a model leads on to the
// array; and why the start found on its equations as written does. Nothing if they do not.
std::optional<std::string> array_for_structure(const plan::RegularizedModel& model, Ladder ladder);
std::optional<std::string> array_for_start(plan::Plan& original, const ConsistentPoint& start,
                                           double t, Ladder ladder);

// The last rung, on which a run that is resumed was.
Formulation array_formulation(const model::ModelData& model, Beginning beginning, Ladder ladder);

}  // namespace daedal::start
