// Verdicts do not depend on units: index, degrees of freedom, whether there is a start, and which
// conditions are in its way stay the same where equations and unknowns are multiplied by factors
// from 1e-12 to 1e12, and nominal values with the unknowns (docs/theory/consistent-points.md, C7).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "daedal/initialize.hpp"
#include "expr/graph.hpp"
#include "expr/rebuild.hpp"
#include "model/model_data.hpp"

namespace daedal {
namespace {

using expr::NodeId;
using model::ModelData;

// Powers of 2, so that nothing is rounded: x_j = unit_j y_j, and equation i times factor_i.
class Scaling {
 public:
  Scaling(const ModelData& from, std::uint64_t seed) : from_(from), random_(seed) {
    for (std::size_t j = 0; j < from.variables.size(); ++j) units_.push_back(factor());
  }

  Model scaled() {
    ModelData to = model::copy_of(from_);
    for (std::size_t i = 0; i < to.equations.size(); ++i) scale(to, to.equations[i], factor());
    for (model::Equation& equation : to.initial_equations) scale(to, equation, factor());
    for (std::size_t j = 0; j < to.variables.size(); ++j) {
      model::Variable& variable = to.variables[j];
      for (model::Start& start : variable.start)
        if (start.value) start.value = times(to, *start.value, 1 / units_[j]);
      const NodeId nominal = variable.nominal ? *variable.nominal : to.graph->constant(1.0);
      variable.nominal = times(to, nominal, 1 / units_[j]);
    }
    return Model(std::move(to));
  }

 private:
  double factor() { return std::ldexp(1.0, std::uniform_int_distribution<int>(-40, 40)(random_)); }

  static NodeId times(ModelData& to, NodeId node, double factor) {
    return to.graph->affine(0.0, std::vector<double>{factor}, std::vector<NodeId>{node});
  }

  void scale(ModelData& to, model::Equation& equation, double factor) {
    equation.left = times(to, in_units(to, equation.left), factor);
    equation.right = times(to, in_units(to, equation.right), factor);
    equation.residual = to.graph->subtract(equation.left, equation.right);
  }

  NodeId in_units(ModelData& to, NodeId root) {
    const NodeId roots[] = {root};
    for (const NodeId node : expr::reachable(*to.graph, roots)) {
      if (images_.contains(node.index())) continue;
      const auto image_of = [&](NodeId argument) { return images_.at(argument.index()); };
      images_[node.index()] = to.graph->op(node) == expr::Op::unknown
                                  ? times(to, node, units_[to.graph->unknown(node).index()])
                                  : expr::rebuild_in(*to.graph, *to.graph, node, image_of);
    }
    return images_.at(root.index());
  }

  const ModelData& from_;
  std::mt19937_64 random_;
  std::vector<double> units_;
  std::map<std::size_t, NodeId> images_;
};

// What is said of a model, without its numbers.
struct Verdict {
  std::string status;
  int dof = 0;
  int index = 0;
  bool is_of_another_model = false;  // the index is that of one of several equivalent models
  std::vector<std::string> ids;
  std::size_t num_conflicts = 0;

  friend bool operator==(const Verdict& a, const Verdict& b) {
    const bool has_index = !a.is_of_another_model && !b.is_of_another_model;
    return a.status == b.status && a.dof == b.dof && (!has_index || a.index == b.index) &&
           a.ids == b.ids && a.num_conflicts == b.num_conflicts;
  }
};

std::ostream& operator<<(std::ostream& stream, const Verdict& v) {
  stream << v.status << " index " << v.index << " dof " << v.dof << " conflicts "
         << v.num_conflicts;
  for (const std::string& id : v.ids) stream << " " << id;
  return stream;
}

Verdict verdict_on(const Model& model) {
  const ConsistentPoint point = initialize(model);
  Verdict verdict{.status = to_string(point.status),
                  .dof = point.dof,
                  .index = point.index,
                  .is_of_another_model = point.converted,
                  .ids = {},
                  .num_conflicts = point.conflicts.size()};
  for (const Problem& problem : point.problems) verdict.ids.push_back(problem.id);
  return verdict;
}

std::vector<std::filesystem::path> problem_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(DAEDAL_SOURCE_DIR "/problems"))
    if (entry.path().extension() == ".mo") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Which mode a model begins in is decided by other rules.
bool has_modes(const ModelData& model) {
  bool has_branches = false;
  for (const model::Equation& equation : model.equations) {
    const NodeId roots[] = {equation.residual};
    for (const NodeId node : expr::reachable(*model.graph, roots)) {
      const expr::Op op = model.graph->op(node);
      has_branches = has_branches || op == expr::Op::select || op == expr::Op::min ||
                     op == expr::Op::max || op == expr::Op::abs || op == expr::Op::sign;
    }
  }
  return has_branches || !model.whens.empty();
}

// DAEDAL_SCALINGS: how many scalings of each model; `make reliability` tries more.
std::uint64_t num_scalings() {
  const char* text = std::getenv("DAEDAL_SCALINGS");
  return text == nullptr ? 4 : std::stoull(text);
}

TEST(Scaling, verdicts_on_all_problems_are_the_same_in_all_units) {
  for (const std::filesystem::path& file : problem_files()) {
    const Model model = load_model(file.string());
    if (has_modes(model.data()) || model.data().mechanics) continue;
    const Verdict verdict = verdict_on(model);
    for (std::uint64_t seed = 1; seed <= num_scalings(); ++seed)
      EXPECT_EQ(verdict_on(Scaling(model.data(), seed).scaled()), verdict)
          << file.filename() << " seed " << seed;
  }
}

}  // namespace
}  // namespace daedal
