// How far directions reach on the tangent space T of constraints with Jacobian G: with Z a basis of
// T = ker G and the norm z^T H z on it, the response of a gradient u is
//
//   r(u) = u^T Z (Z^T H Z)^-1 Z^T u = max (u^T z)^2   over z in T with z^T H z = 1.
//
// One r(u) costs a solve with the KKT matrix of H and G. Thousands are compared with a threshold at
// the price of some dozens of solves: if the entries of e are independent with mean 0 and variance
// 1, z = Z (Z^T H Z)^-1 Z^T H^1/2 e lies in T and the mean of (u^T z)^2 is r(u), for all u at once.
#pragma once

#include <cstdint>
#include <vector>

#include "init/kkt_system.hpp"

namespace daedal::init {

class TangentResponse {
 public:
  // H is diagonal and positive. Rows of G should have norm 1.
  TangentResponse(Vector H, const RowMatrix& G);

  bool is_usable() const { return is_usable_; }

  double of(const Vector& u) const { return u.dot(projected(u)); }
  Vector projected(const Vector& u) const;  // Z (Z^T H Z)^-1 Z^T u

  // By row u of U: is r(u) > threshold? Exact up to 24 rows and near the threshold. Where more than
  // 64 are near it, it is met to a factor of 2.
  std::vector<bool> exceeds(const RowMatrix& U, double threshold) const;

  // z in T with z^T H z of mean dim T; the same for the same number.
  Vector random_tangent(int number) const;

 private:
  KktSystem kkt_;
  Vector H_;
  Eigen::Index num_rows_;
  bool is_usable_;
};

// In (-1, 1), equally distributed, the same on every machine.
double random_fraction(std::uint64_t number);

}  // namespace daedal::init
