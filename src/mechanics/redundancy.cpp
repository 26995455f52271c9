#include "mechanics/redundancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <unordered_map>

#include "expr/evaluate.hpp"
#include "expr/partial.hpp"
#include "linear/dense_decompositions.hpp"

namespace daedal::mechanics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using expr::NodeId;
using model::ModelData;

constexpr std::size_t most_entries = 4'000'000;
constexpr double dependent = 1e-8;  // what is left of a gradient that others span, relative to it
constexpr double solved = 1e-11;    // residual of constraints that hold, relative to the gradients
constexpr double disturbance = 0.02;  // of coordinates, to get away from special positions
constexpr int most_iterations = 200;

// The gradients a_j as nodes of a graph.
class Gradients {
 public:
  struct Entry {
    int coordinate;
    NodeId partial;
  };
  using Row = std::vector<Entry>;

  Gradients(expr::Graph& graph, const ModelData& model) {
    const model::Mechanics& mechanics = *model.mechanics;
    for (const model::EquationId id : mechanics.constraints)
      residuals.push_back(model.equations[id.index()].residual);
    residuals = expr::expand_derivatives(graph, residuals);
    expr::ReverseSweep sweep(graph);
    for (std::size_t j = 0; j < residuals.size(); ++j) {
      std::unordered_map<NodeId, int> column;
      for (std::size_t k = 0; k < mechanics.coordinates.size(); ++k) {
        const NodeId q = graph.node(mechanics.coordinates[k]);
        column[mechanics.is_on_velocities[j] ? graph.diff(q, 1) : q] = static_cast<int>(k);
      }
      Row& row = rows.emplace_back();
      const auto keep = [&](NodeId leaf, NodeId adjoint) {
        if (const auto found = column.find(leaf); found != column.end())
          row.push_back({found->second, adjoint});
        return true;
      };
      sweep.run(
          residuals[j], [](NodeId, NodeId) { return true; }, keep);
    }
  }

  std::vector<NodeId> residuals;  // by constraint
  std::vector<Row> rows;
};

// Values of constraints and gradients; coordinates may move, everything else is at its guess.
class Position {
 public:
  Position(const ModelData& model, const std::vector<double>& parameters, double t)
      : graph_(model.graph->copy()),
        gradients_(*graph_, model),
        mechanics_(*model.mechanics),
        parameters_(parameters),
        time_(t),
        evaluator_(*graph_) {
    expr::Evaluator start(*model.graph);
    for (const model::Variable& variable : model.variables) {
      std::vector<double>& values = values_.emplace_back();
      for (const model::Start& given : variable.start)
        values.push_back(
            given.value
                ? start.value(*given.value, {.time = t, .parameters = parameters, .unknown = {}})
                : 0.0);
      values.resize(std::max<std::size_t>(values.size(), 2), 0.0);
    }
  }

  int num_constraints() const { return static_cast<int>(gradients_.rows.size()); }
  int num_coordinates() const { return static_cast<int>(mechanics_.coordinates.size()); }

  MatrixXd rows() {
    MatrixXd G = MatrixXd::Zero(num_constraints(), num_coordinates());
    for (int j = 0; j < num_constraints(); ++j)
      for (const Gradients::Entry& entry : gradients_.rows[j])
        G(j, entry.coordinate) = value(entry.partial);
    return G;
  }

  // Those of constraints on positions; constraints on velocities hold for some velocity.
  VectorXd residuals() {
    VectorXd C = VectorXd::Zero(num_constraints());
    for (int j = 0; j < num_constraints(); ++j)
      if (!mechanics_.is_on_velocities[j]) C[j] = value(gradients_.residuals[j]);
    return C;
  }

  void move(const VectorXd& step) {
    for (int k = 0; k < num_coordinates(); ++k) coordinate(k)[0] += step[k];
  }

  // Away from special positions and velocities, always in the same way.
  void disturb() {
    std::mt19937 generator(20180101);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
    for (int k = 0; k < num_coordinates(); ++k)
      for (double& x : coordinate(k))
        x += disturbance * (1.0 + std::abs(x)) *
             (static_cast<double>(generator()) / 2147483648.0 - 1.0);
  }

 private:
  std::vector<double>& coordinate(int k) { return values_[mechanics_.coordinates[k].index()]; }

  double value(NodeId node) {
    const auto unknown = [&](expr::UnknownId j, int order) {
      const std::vector<double>& values = values_[j.index()];
      return order < static_cast<int>(values.size()) ? values[order] : 0.0;
    };
    return evaluator_.value(node, {.time = time_, .parameters = parameters_, .unknown = unknown});
  }

  std::unique_ptr<expr::Graph> graph_;
  Gradients gradients_;
  const model::Mechanics& mechanics_;
  const std::vector<double>& parameters_;
  double time_;
  expr::Evaluator evaluator_;
  std::vector<std::vector<double>> values_;  // by unknown, then order
};

// Levenberg's method, which converges fast though gradients depend on each other: the damping is
// the residual's square [YamashitaFukushima2001]. False if no position was found.
bool satisfy(Position& position) {
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    MatrixXd G = position.rows();
    VectorXd C = position.residuals();
    for (int j = 0; j < G.rows(); ++j) {
      const double size = G.row(j).norm();
      if (size == 0.0) continue;
      G.row(j) /= size;
      C[j] /= size;
    }
    const double residual = C.norm();
    if (!std::isfinite(residual)) return false;
    if (residual < solved) return true;
    MatrixXd normal = G * G.transpose();
    normal.diagonal().array() += residual * residual + 1e-14;
    position.move(-G.transpose() * normal.ldlt().solve(C));
  }
  return false;
}

// Row by row: what earlier independent rows leave of it (Gram-Schmidt, twice for accuracy).
std::vector<Dependence> dependences_of(const MatrixXd& G) {
  std::vector<Dependence> found;
  MatrixXd basis(G.cols(), 0);
  std::vector<int> independent;
  for (int j = 0; j < static_cast<int>(G.rows()); ++j) {
    const double size = G.row(j).norm();
    VectorXd rest = G.row(j).transpose() / (size > 0.0 ? size : 1.0);
    for (int pass = 0; pass < 2; ++pass) rest -= basis * (basis.transpose() * rest);
    if (size > 0.0 && rest.norm() > dependent) {
      basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
      basis.col(basis.cols() - 1) = rest.normalized();
      independent.push_back(j);
      continue;
    }
    Dependence dependence{.redundant = j, .on = {}, .coefficients = {}, .defect = rest.norm()};
    MatrixXd others(G.cols(), independent.size());
    for (std::size_t k = 0; k < independent.size(); ++k)
      others.col(static_cast<Eigen::Index>(k)) = G.row(independent[k]).transpose();
    const VectorXd weights = others.colPivHouseholderQr().solve(G.row(j).transpose());
    for (std::size_t k = 0; k < independent.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      if (std::abs(weights[column]) * others.col(column).norm() <= dependent * size) continue;
      dependence.on.push_back(independent[k]);
      dependence.coefficients.push_back(weights[column]);
    }
    found.push_back(std::move(dependence));
  }
  return found;
}

// Adds the balance of multipliers to a copy of the model.
class Balance {
 public:
  Balance(const ModelData& model, const std::vector<Dependence>& dependences)
      : model_(model::copy_of(model)),
        graph_(*model_.graph),
        gradients_(graph_, model),
        mechanics_(*model_.mechanics),
        is_redundant_(mechanics_.constraints.size(), false),
        is_involved_(is_redundant_) {
    for (const Dependence& dependence : dependences) {
      is_redundant_[dependence.redundant] = true;
      for (const int k : dependence.on) is_involved_[k] = true;
    }
  }

  ModelData run() {
    add_weights();
    for (std::size_t j = 0; j < is_redundant_.size(); ++j)
      if (is_redundant_[j])
        left_out_.push_back(model_.equations[mechanics_.constraints[j].index()]);
    for (std::size_t j = 0; j < mechanics_.constraints.size(); ++j) {
      if (is_redundant_[j]) set_balance(model_.equations[mechanics_.constraints[j].index()], j);
      if (is_involved_[j]) set_balance(model_.equations.emplace_back(), j);
    }
    forget_redundant();
    return std::move(model_);
  }

 private:
  std::string name_of(std::size_t j) const {
    return fmt::format("balance({})", model_.label(constraints_[j]));
  }

  // w = sum v_i a_i, by coordinate.
  void add_weights() {
    constraints_ = mechanics_.constraints;
    std::vector<std::vector<NodeId>> terms(mechanics_.coordinates.size());
    for (std::size_t j = 0; j < is_involved_.size(); ++j) {
      if (!is_involved_[j]) continue;
      model::Variable weight;
      weight.name = name_of(j);
      weight.description = "shares a force between constraints that depend on each other";
      weight.place = model_.equations[constraints_[j].index()].place;
      weight.is_auxiliary = true;
      weight.node = graph_.add_unknown(weight.name);
      for (const Gradients::Entry& entry : gradients_.rows[j])
        terms[entry.coordinate].push_back(graph_.multiply(weight.node, entry.partial));
      model_.variables.push_back(std::move(weight));
    }
    for (const std::vector<NodeId>& sum : terms)
      w_.push_back(graph_.affine(0.0, std::vector<double>(sum.size(), 1.0), sum));
  }

  // lambda_j = a_j . w
  void set_balance(model::Equation& equation, std::size_t j) {
    const model::Place place = model_.equations[constraints_[j].index()].place;
    equation.name = name_of(j);
    equation.left = graph_.node(mechanics_.multipliers[j]);
    std::vector<NodeId> terms;
    for (const Gradients::Entry& entry : gradients_.rows[j])
      terms.push_back(graph_.multiply(entry.partial, w_[entry.coordinate]));
    equation.right = graph_.affine(0.0, std::vector<double>(terms.size(), 1.0), terms);
    equation.residual = graph_.subtract(equation.left, equation.right);
    equation.place = place;
    equation.is_derived = true;
  }

  void forget_redundant() {
    model::Mechanics kept;
    kept.coordinates = mechanics_.coordinates;
    kept.left_out = std::move(left_out_);
    for (std::size_t j = 0; j < is_redundant_.size(); ++j) {
      if (is_redundant_[j]) continue;
      kept.constraints.push_back(mechanics_.constraints[j]);
      kept.multipliers.push_back(mechanics_.multipliers[j]);
      kept.is_on_velocities.push_back(mechanics_.is_on_velocities[j]);
    }
    mechanics_ = std::move(kept);
  }

  ModelData model_;
  expr::Graph& graph_;
  Gradients gradients_;
  model::Mechanics& mechanics_;
  std::vector<bool> is_redundant_, is_involved_;  // by constraint
  std::vector<model::EquationId> constraints_;
  std::vector<model::Equation> left_out_;
  std::vector<NodeId> w_;  // by coordinate
};

}  // namespace

std::vector<Dependence> find_dependences(const ModelData& model,
                                         const std::vector<double>& parameters, double t) {
  if (!model.mechanics || model.mechanics->constraints.size() < 2) return {};
  if (model.mechanics->constraints.size() * model.mechanics->coordinates.size() > most_entries)
    return {};
  Position position(model, parameters, t);
  if (!satisfy(position)) return {};
  position.disturb();
  if (!satisfy(position)) return {};
  return dependences_of(position.rows());
}

ModelData with_minimum_norm(const ModelData& model, const std::vector<Dependence>& dependences) {
  return Balance(model, dependences).run();
}

}  // namespace daedal::mechanics
