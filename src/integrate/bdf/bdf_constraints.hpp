// How well constraints and hidden constraints hold: f_i, f_i', ..., f_i^(c_i) of the user's
// equations that are differentiated or contain no derivative, as far as the derivatives known of
// the unknowns reach.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "reduce/array/derivative_array.hpp"
#include "structure/structure.hpp"

namespace daedal::integrate {

struct UserEquations {
  const expr::Graph& graph;
  std::span<const reduce::NodeId> residuals;
  const structure::Structure& structure;
};

class BdfConstraints {
 public:
  // `orders`: by unknown, its highest derivative known.
  BdfConstraints(const UserEquations& equations, const std::vector<int>& orders,
                 const std::vector<double>& parameters, std::vector<double> nominals);

  // x_j^(order) at t by `derivative`.
  void evaluate(double t, const std::function<double(int unknown, int order)>& derivative);

  // Largest |f_i^(l)| relative to the size of its terms, the sum of |df_i^(l)/dx_j^(m)| |x_j^(m)|,
  // x_j counted with its nominal value.
  double largest_relative() const;
  // The value of f_i^(times); nothing if it is none of the constraints watched.
  std::optional<double> value(int equation, int times) const;

 private:
  std::vector<int> orders_;
  const std::vector<double>& parameters_;
  std::vector<double> nominals_;
  std::vector<int> equations_;  // watched
  std::unique_ptr<expr::Graph> graph_;
  std::unique_ptr<reduce::DerivativeArray> array_;  // none if nothing is watched
  std::vector<double> point_;
};

}  // namespace daedal::integrate
