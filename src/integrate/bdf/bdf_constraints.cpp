#include "integrate/bdf/bdf_constraints.hpp"

#include <algorithm>
#include <cmath>

#include "structure/signature.hpp"

namespace daedal::integrate {
namespace {

// Up to which derivative of equation i all is known; negative if not even the equation.
int reach(const structure::SignatureMatrix& sigma, int equation, const std::vector<int>& orders,
          int wanted) {
  for (std::size_t k = 0; k < sigma.unknowns(equation).size(); ++k)
    wanted = std::min(wanted, orders[sigma.unknowns(equation)[k]] - sigma.orders(equation)[k]);
  return wanted;
}

bool is_algebraic(const structure::SignatureMatrix& sigma, int equation) {
  const auto orders = sigma.orders(equation);
  return std::all_of(orders.begin(), orders.end(), [](int order) { return order == 0; });
}

}  // namespace

BdfConstraints::BdfConstraints(const UserEquations& equations, const std::vector<int>& orders,
                               const std::vector<double>& parameters, std::vector<double> nominals)
    : orders_(orders),
      parameters_(parameters),
      nominals_(std::move(nominals)),
      graph_(equations.graph.copy()) {
  const auto sigma = structure::signature_of(equations.graph, equations.residuals);
  std::vector<reduce::NodeId> residuals;
  std::vector<int> times;
  for (int i = 0; i < sigma.num_equations(); ++i) {
    const int c = equations.structure.c[i], known = reach(sigma, i, orders, c);
    if (known < 0 || (c == 0 && !is_algebraic(sigma, i))) continue;
    equations_.push_back(i);
    residuals.push_back(equations.residuals[i]);
    times.push_back(known);
  }
  if (equations_.empty()) return;
  array_ = std::make_unique<reduce::DerivativeArray>(*graph_, residuals, times,
                                                     reduce::Entries::derivatives);
  point_.resize(array_->num_columns());
}

void BdfConstraints::evaluate(double t,
                              const std::function<double(int unknown, int order)>& derivative) {
  if (array_ == nullptr) return;
  for (int column = 0; column < array_->num_columns(); ++column) {
    const auto [unknown, order] = array_->place_of_column(column);
    point_[column] = order <= orders_[unknown] ? derivative(unknown, order) : 0.0;
  }
  array_->linearise({.time = t, .parameters = parameters_, .values = point_});
}

double BdfConstraints::largest_relative() const {
  if (array_ == nullptr) return 0.0;
  const reduce::SparseRows& partials = array_->jacobian();
  double largest = 0.0;
  for (int row = 0; row < array_->num_rows(); ++row) {
    double size = 0.0;
    for (int k = partials.starts[row]; k < partials.starts[row + 1]; ++k) {
      const double nominal = nominals_[array_->place_of_column(partials.columns[k]).index];
      size += std::abs(partials.values[k]) * (nominal + std::abs(point_[partials.columns[k]]));
    }
    if (size > 0.0) largest = std::max(largest, std::abs(array_->values()[row]) / size);
  }
  return largest;
}

std::optional<double> BdfConstraints::value(int equation, int times) const {
  const auto found = std::find(equations_.begin(), equations_.end(), equation);
  if (found == equations_.end()) return std::nullopt;
  const reduce::Place wanted = {static_cast<int>(found - equations_.begin()), times};
  const auto row = std::find(array_->rows().begin(), array_->rows().end(), wanted);
  if (row == array_->rows().end()) return std::nullopt;
  return array_->values()[row - array_->rows().begin()];
}

}  // namespace daedal::integrate
