// The mode of a hybrid model that its guesses select, or in which a start is: what an analysis is
// of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hybrid/mode_model.hpp"
#include "run/stepper.hpp"

namespace daedal::run {

// x_j, x_j', ... as guessed; zero where nothing was given. `others` take the place of the model's.
Derivatives guesses_of(const model::ModelData& model, const std::vector<double>& parameters,
                       double t, const std::vector<plan::OtherStart>& others = {});

class GuessedMode {
 public:
  // Keeps a reference. `conditions` are known to hold; guesses decide on the rest. Throws what
  // model::check throws.
  GuessedMode(const model::ModelData& model, double t,
              const std::vector<std::string>& conditions = {});

  // The model itself if it is not hybrid.
  const model::ModelData& data() const { return mode_ ? mode_->own : model_; }
  const std::vector<std::string>& conditions() const { return conditions_; }

 private:
  const model::ModelData& model_;
  std::optional<hybrid::ModeModel> mode_;
  std::vector<std::string> conditions_;
};

}  // namespace daedal::run
