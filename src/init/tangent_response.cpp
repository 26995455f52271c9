#include "init/tangent_response.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

namespace daedal::init {
namespace {

constexpr std::size_t most_exact = 64;  // solves for single rows

// The largest of 12 squares (u^T z)^2 is below r(u)/1000 with a probability of less than 1e-14: the
// density of u^T z, of variance r(u), is log-concave, so not above 1/sqrt(r(u)), and
// (2/sqrt(1000))^12 = 4e-15. That it exceeds 100 r(u) is less likely still.
constexpr int few_probes = 12;
constexpr double surely_below = 1e-3;
constexpr double surely_above = 1e2;
// Their mean has a relative deviation of about sqrt(2/64) = 0.2.
constexpr int many_probes = 64;

}  // namespace

// The generator SplitMix64, entered at any place.
double random_fraction(std::uint64_t number) {
  std::uint64_t z = (number + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  z = z ^ (z >> 31U);
  return std::ldexp(static_cast<double>(z >> 11U) + 0.5, -52) - 1.0;
}

TangentResponse::TangentResponse(Vector H, const RowMatrix& G)
    : H_(std::move(H)), num_rows_(G.rows()), is_usable_(kkt_.factorise(diagonal(H_), G)) {}

Vector TangentResponse::projected(const Vector& u) const {
  return kkt_.solve(u, Vector::Zero(num_rows_)).p;
}

Vector TangentResponse::random_tangent(int number) const {
  const double deviation = std::sqrt(3.0);  // of a uniform distribution on (-1, 1), reciprocal
  Vector a(H_.size());
  for (Eigen::Index k = 0; k < a.size(); ++k)
    a[k] = std::sqrt(H_[k]) * deviation *
           random_fraction(static_cast<std::uint64_t>(number * H_.size() + k));
  return projected(a);
}

std::vector<bool> TangentResponse::exceeds(const RowMatrix& U, double threshold) const {
  std::vector<bool> result(static_cast<std::size_t>(U.rows()));
  std::vector<int> open;  // rows not decided yet
  for (int a = 0; a < U.rows(); ++a) open.push_back(a);
  if (open.size() > 2 * few_probes) {
    Vector largest = Vector::Zero(U.rows());
    for (int probe = 0; probe < few_probes; ++probe)
      largest = largest.cwiseMax((U * random_tangent(probe)).cwiseAbs2());
    open.clear();
    for (int a = 0; a < U.rows(); ++a) {
      result[a] = largest[a] > threshold;
      if (largest[a] > surely_below * threshold && largest[a] < surely_above * threshold)
        open.push_back(a);
    }
  }
  if (open.size() <= most_exact) {
    for (const int a : open) result[a] = of(U.row(a).transpose()) > threshold;
    return result;
  }
  Vector sum = Vector::Zero(U.rows());
  for (int probe = 0; probe < many_probes; ++probe)
    sum += (U * random_tangent(few_probes + probe)).cwiseAbs2();
  for (const int a : open) result[a] = sum[a] > many_probes * threshold;
  return result;
}

}  // namespace daedal::init
