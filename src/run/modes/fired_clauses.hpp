// Which when clauses fire where guards change their sides: those whose conditions become true; of
// alternatives, the first. Only clauses are looked at that depend on a guard that has changed.
#pragma once

#include <vector>

#include "hybrid/mode_model.hpp"

namespace daedal::run {

class FiredClauses {
 public:
  // Keeps references.
  FiredClauses(const model::ModelData& model, const hybrid::Guards& guards);

  // Numbers of clauses, ascending.
  std::vector<int> between(const hybrid::Sides& before, const hybrid::Sides& after,
                           const std::vector<double>& parameters) const;

 private:
  std::vector<int> concerned(const hybrid::Sides& before, const hybrid::Sides& after) const;

  const model::ModelData& model_;
  const hybrid::Guards& guards_;
  std::vector<std::vector<int>> clauses_of_;  // by guard: those with it in their conditions
  std::vector<int> first_alternative_;        // by clause: of the chain that it belongs to
};

}  // namespace daedal::run
