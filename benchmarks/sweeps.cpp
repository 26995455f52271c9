// Series to degree p in p stages, each with its convolutions kept, or in log2(p) sweeps that double
// the degree [Pryce2018, sec. 4.1.2]: multiplications of both, counted on the equations of
// problems, and times of both on a system that suits the sweeps best (docs/theory/series.md).
//
//   sweeps            both tables
//   sweeps counts     the first: nothing is timed
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "benchmarks/markdown.hpp"
#include "benchmarks/measure.hpp"
#include "expr/partial.hpp"
#include "expr/simplify.hpp"
#include "model/model_data.hpp"
#include "problems/problems.hpp"

namespace daedal::benchmarks {
namespace {

using expr::Graph;
using expr::NodeId;
using expr::Op;

// ---------------------------------------------------------------------------------------------------------------------
// Counts. The unit is a full convolution: p^2/2 multiplications for a series of degree p.

struct Convolutions {
  double of_unknowns = 0.0;  // products of two linear forms of unknowns
  double of_others = 0.0;
};

// Nodes whose coefficients are linear in those of the unknowns.
std::vector<bool> linear_forms(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<bool> is_linear(graph.size(), false);
  for (const NodeId node : nodes) {
    const Op op = graph.op(node);
    const auto arguments = graph.arguments(node);
    is_linear[node.index()] =
        op == Op::unknown || op == Op::diff || !graph.varies(node) || op == Op::time ||
        (op == Op::affine && std::all_of(arguments.begin(), arguments.end(),
                                         [&](NodeId v) { return is_linear[v.index()]; }));
  }
  return is_linear;
}

double weight_of_function(const Graph& graph, NodeId node) {
  switch (graph.op(node)) {
    case Op::power: {
      const double r = graph.number(node);
      return r == 2.0 || r == 0.5 ? 0.5 : r == -1.0 ? 1.0 : 2.0;
    }
    case Op::pow: return 3.0;  // exp(v log u)
    case Op::atan2: return 2.0;
    default: return 1.0;
  }
}

Convolutions count(const Graph& graph, const std::vector<NodeId>& roots) {
  const std::vector<NodeId> nodes = reachable(graph, roots);
  const std::vector<bool> is_linear = linear_forms(graph, nodes);
  Convolutions sum;
  for (const NodeId node : nodes) {
    const Op op = graph.op(node);
    if (!graph.varies(node) || op == Op::time || op == Op::unknown || op == Op::diff ||
        op == Op::affine)
      continue;
    const auto arguments = graph.arguments(node);
    const auto num_linear = std::count_if(arguments.begin(), arguments.end(), [&](NodeId v) {
      return graph.varies(v) && is_linear[v.index()];
    });
    if (op == Op::product) {
      const auto num_varying = std::count_if(arguments.begin(), arguments.end(),
                                             [&](NodeId v) { return graph.varies(v); });
      const double num_first = num_linear >= 2 ? 1.0 : 0.0;
      sum.of_unknowns += num_first;
      sum.of_others += std::max(0.0, static_cast<double>(num_varying) - 1.0 - num_first);
    } else if (op == Op::power && graph.number(node) == 2.0 && num_linear == 1) {
      sum.of_unknowns += 0.5;
    } else {
      sum.of_others += weight_of_function(graph, node);
    }
  }
  return sum;
}

struct Counts {
  Convolutions of_equations;
  double of_partials = 0.0;  // what their Jacobian needs beside them
  double entries = 0.0;      // of the Jacobian that vary
  // Multiplications of the last sweep, from degree p/2 to p, over those of as many stages.
  double ratio() const {
    const auto [P1, P2] = of_equations;
    return (P1 + 3.0 * P2 + of_partials + entries) / (3.0 * (P1 + P2));
  }
};

Counts count(const Model& model) {
  const model::ModelData data = copy_of(model.data());
  Graph& graph = *data.graph;
  std::vector<NodeId> residuals;
  for (const model::Equation& equation : data.equations) residuals.push_back(equation.residual);
  residuals = expand_derivatives(graph, residuals);
  std::vector<NodeId> all = residuals;
  Counts counts;
  expr::ReverseSweep sweep(graph);
  for (const NodeId residual : residuals)
    sweep.run(
        residual, [&](NodeId, NodeId argument) { return graph.varies(argument); },
        [&](NodeId leaf, NodeId partial) {
          if (graph.op(leaf) != Op::unknown && graph.op(leaf) != Op::diff) return true;
          if (graph.varies(partial)) counts.entries += 1.0;
          all.push_back(partial);
          return true;
        });
  const expr::Simplified alone = expr::simplify(graph, residuals),
                         together = expr::simplify(graph, all);
  counts.of_equations = count(*alone.graph, alone.roots);
  const Convolutions both = count(*together.graph, together.roots);
  counts.of_partials = both.of_unknowns + both.of_others - counts.of_equations.of_unknowns -
                       counts.of_equations.of_others;
  return counts;
}

void print_counts() {
  using namespace problems;
  const MarkdownTable table(
      {"problem", "P1", "P2", "D", "N", "last sweep / stages", "whole series / stages"});
  const auto row = [&](const std::string& name, const Model& model) {
    const Counts c = count(model);
    table.row({name, fmt::format("{:g}", c.of_equations.of_unknowns),
               fmt::format("{:g}", c.of_equations.of_others), fmt::format("{:g}", c.of_partials),
               fmt::format("{:g}", c.entries), fmt::format("{:.2f}", c.ratio()),
               fmt::format("{:.2f}", 0.25 + 0.75 * c.ratio())});
  };
  row("pendulum", pendulum());
  row("double pendulum", double_pendulum());
  row("car axis", car_axis());
  row("chain of 20 rods", rod_chain(20));
  row("the same from its Lagrangian", spring_mass_pendulum(20));
  row("coupled pendula, P = 12", coupled_pendula(12));
  row("outer planets", detest_c5());
  row("shuttle", shuttle());
  row("robot arm", robot_arm());
  row("reactor and separator", reactor_separator());
  row("column of 5 trays", tray_column(5));
  row("chemical Akzo Nobel", chemical_akzo());
  row("transistor amplifier", transistor_amplifier());
}

// ---------------------------------------------------------------------------------------------------------------------
// Times, on the equations of Lorenz: x' = 10 (y - x), y' = x (28 - z) - y, z' = x y - 8/3 z. All
// operands are unknowns and D = 0, N = 2 P1: both ways make the same multiplications.

struct Lorenz {
  explicit Lorenz(std::size_t degree) : p(degree), x(p + 1), y(p + 1), z(p + 1), xz(p), xy(p) {
    x[0] = 1.3, y[0] = -0.7, z[0] = 21.0;
  }
  // Coefficient r + 1 of the unknowns from coefficient r of the products.
  void finish(std::size_t r) {
    const double n = static_cast<double>(r + 1);
    x[r + 1] = 10.0 * (y[r] - x[r]) / n;
    y[r + 1] = (28.0 * x[r] - xz[r] - y[r]) / n;
    z[r + 1] = (xy[r] - 8.0 / 3.0 * z[r]) / n;
  }

  std::size_t p;
  std::vector<double> x, y, z, xz, xy;
};

// Terms are added from both ends, as the linear part of a sweep adds them: a loop over one term at
// a time waits for its additions, and would be compared with one that does not.
void compute_in_stages(Lorenz& l) {
  for (std::size_t r = 0; r < l.p; ++r) {
    double xz = 0.0, xy = 0.0;
    for (std::size_t j = r / 2 + 1; j <= r; ++j) {
      xz += l.x[j] * l.z[r - j] + l.x[r - j] * l.z[j];
      xy += l.x[j] * l.y[r - j] + l.x[r - j] * l.y[j];
    }
    if (r % 2 == 0) {
      xz += l.x[r / 2] * l.z[r / 2];
      xy += l.x[r / 2] * l.y[r / 2];
    }
    l.xz[r] = xz, l.xy[r] = xy;
    l.finish(r);
  }
}

// Coefficients 0 ... s of the unknowns are known; a sweep finds those to 2 s + 1.
void compute_in_sweeps(Lorenz& l) {
  l.xz[0] = l.x[0] * l.z[0], l.xy[0] = l.x[0] * l.y[0];
  l.finish(0);
  for (std::size_t s = 1; s < l.p; s = 2 * s + 1) {
    const std::size_t end = std::min(2 * s + 1, l.p);
    // What is known of the products, all degrees at once.
    for (std::size_t r = s; r < end; ++r) {
      double xz = 0.0, xy = 0.0;
      for (std::size_t j = r - std::min(r, s); j <= std::min(r, s); ++j) {
        xz += l.x[j] * l.z[r - j];
        xy += l.x[j] * l.y[r - j];
      }
      l.xz[r] = xz, l.xy[r] = xy;
    }
    // The linear system for the rest, whose matrix has the coefficients 0 ... s of x, y and z.
    for (std::size_t r = s; r < end; ++r) {
      double xz = l.xz[r], xy = l.xy[r];
      for (std::size_t j = s + 1; j <= r; ++j) {
        xz += l.x[j] * l.z[r - j] + l.x[r - j] * l.z[j];
        xy += l.x[j] * l.y[r - j] + l.x[r - j] * l.y[j];
      }
      l.xz[r] = xz, l.xy[r] = xy;
      l.finish(r);
    }
  }
}

double largest_difference(const Lorenz& a, const Lorenz& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k <= a.p; ++k)
    largest =
        std::max(largest, std::abs(a.x[k] - b.x[k]) / std::max(std::abs(a.x[k]), std::abs(b.x[k])));
  return largest;
}

double nanoseconds(void (*compute)(Lorenz&), Lorenz& series) {
  constexpr int num_runs = 20000;
  std::vector<double> times;
  for (int turn = 0; turn < 15; ++turn) {
    const std::clock_t begin = std::clock();
    for (int k = 0; k < num_runs; ++k) compute(series);
    times.push_back(1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / num_runs);
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  return times[7];
}

void print_times() {
  fmt::print("\nNanoseconds of a series of degree p, processor time.\n\n");
  const MarkdownTable table({"p", "stages", "sweeps", "sweeps/stages", "largest difference"});
  for (const std::size_t p : {8, 16, 24, 32, 64}) {
    Lorenz stages(p), sweeps(p);
    const double of_stages = nanoseconds(compute_in_stages, stages),
                 of_sweeps = nanoseconds(compute_in_sweeps, sweeps);
    table.row({fmt::format("{}", p), fmt::format("{:.0f}", of_stages),
               fmt::format("{:.0f}", of_sweeps), fmt::format("{:.2f}", of_sweeps / of_stages),
               fmt::format("{:.0e}", largest_difference(stages, sweeps))});
  }
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int argc, char** argv) {
  daedal::benchmarks::print_counts();
  if (argc < 2 || std::string_view(argv[1]) != "counts") daedal::benchmarks::print_times();
  return 0;
}
