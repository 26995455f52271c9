// Equations with their structure and the stages at a point, for tests.
#pragma once

#include <memory>
#include <vector>

#include "structure/quasilinear.hpp"
#include "structure/signature.hpp"
#include "taylor/series_solver.hpp"

namespace daedal::taylor {

struct Stages {
  std::unique_ptr<expr::Graph> graph = std::make_unique<expr::Graph>();
  std::vector<NodeId> residuals;
  structure::Structure structure;
  std::vector<int> leads;
  std::vector<bool> is_linear;
  std::unique_ptr<SeriesSolver> series;
  std::vector<double> weights;

  NodeId x(const char* name) { return graph->add_unknown(name); }
  NodeId der(NodeId a, int order = 1) { return graph->diff(a, order); }
  NodeId sum(NodeId a, NodeId b) { return graph->add(a, b); }
  NodeId product(NodeId a, NodeId b) { return graph->multiply(a, b); }
  NodeId number(double value) { return graph->constant(value); }

  void prepare(int last_stage) {
    structure = structure::analyze_structure(structure::signature_of(*graph, residuals));
    leads = structure::lead_times(structure);
    is_linear = structure::linear_blocks(*graph, residuals, structure, leads);
    series = std::make_unique<SeriesSolver>(
        make_series_schedule({*graph, residuals, structure, leads, is_linear}), structure,
        last_stage, std::vector<std::vector<double>>(1),
        std::vector<double>(residuals.size(), 1.0));
    weights.assign(residuals.size(), 1.0);
  }
  StageReport solve() {
    for (std::size_t j = 0; j < weights.size(); ++j)
      series->set_weights(static_cast<int>(j), &weights[j]);
    series->solve_start();
    if (series->report().ok()) series->solve_rest();
    return series->report();
  }
};

// x'' + x lam = 0, y'' + y lam = 1, x^2 + y^2 = 1
inline Stages pendulum(int last_stage) {
  Stages s;
  const NodeId x = s.x("x"), y = s.x("y"), lam = s.x("lam");
  s.residuals = {s.sum(s.der(x, 2), s.product(x, lam)),
                 s.graph->subtract(s.sum(s.der(y, 2), s.product(y, lam)), s.number(1.0)),
                 s.graph->subtract(s.sum(s.product(x, x), s.product(y, y)), s.number(1.0))};
  s.prepare(last_stage);
  return s;
}

}  // namespace daedal::taylor
