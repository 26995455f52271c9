// A mode of one side whose solution stays where a guard is zero, as a tank that has run empty does.
// What is written for g = 0 must hold there, too: `if x >= 0 then -sqrt(x) else 0` is right with
// either branch at x = 0, and the mode may be on either side. Where the branches cease to agree the
// mode contradicts the model (docs/theory/hybrid.md, H4).
#pragma once

#include <memory>
#include <vector>

#include "hybrid/mode_model.hpp"
#include "run/modes/mode_table.hpp"

namespace daedal::run {

class ZeroSide {
 public:
  // `at_zero` are the guards of the mode that are at zero. Keeps a reference to the mode.
  ZeroSide(const model::ModelData& model, const Mode& mode, std::vector<int> at_zero);

  const std::vector<int>& guards() const { return at_zero_; }
  // Whether the mode's equations and those of the model, all conditions by their values, agree to
  // within the tolerance where the run is, with these guards exactly at zero: as near to zero as
  // the solution is known, sqrt(x) is still far from 0.
  bool agrees(const solution::StepSource& run, double tolerance) const;
  // Whether they agree all along the last step.
  bool agrees_along(const solution::StepSource& run, double tolerance) const;

 private:
  // A graph with the residuals of the model's equations.
  struct Rows {
    Rows(const model::ModelData& model, std::size_t num_equations);
    std::unique_ptr<expr::Graph> graph;
    std::vector<expr::NodeId> residuals;
  };
  double size_of(const Rows& rows, expr::NodeId residual, const expr::Point& point) const;

  const Mode& mode_;
  std::vector<int> at_zero_;
  Rows rows_, rows_as_written_;
};

}  // namespace daedal::run
