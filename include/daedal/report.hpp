// A report: one HTML page that needs nothing besides itself, with the model as understood, its
// structure, and what a run gave, to look at and to pass on.
//
//   daedal::Solution solution = daedal::solve(model);
//   std::ofstream("pendulum.html") << daedal::html_report(model, solution);
#pragma once

#include <string>

#include "daedal/analysis.hpp"
#include "daedal/model.hpp"
#include "daedal/solution.hpp"

namespace daedal {

struct ReportOptions {
  std::string command = {};  // the command that the page names as its origin; may be empty
  // Most points of a curve. The curves of a long run, or of one with many variables, have fewer:
  // all curves together have at most 800,000 numbers, which are about 5 MB.
  int max_points = 100'000;
};

// The page of an analysis: the structural part alone. Both functions throw E-RPT-001 if this daedal
// was built without the page. `model` must be the model that was analysed or solved; the functions
// do not check that.
std::string html_report(const Model& model, const Analysis& analysis,
                        const ReportOptions& options = {});
// The page of a run, which analyses the model again for its structural part. Curves need a solution
// that has kept its steps (SolveOptions::keep_steps).
std::string html_report(const Model& model, const Solution& solution,
                        const ReportOptions& options = {});

}  // namespace daedal
