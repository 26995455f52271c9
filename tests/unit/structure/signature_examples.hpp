// Signature matrices of published problems, and random ones that are the same on every platform.
#pragma once

#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "structure/signature_matrix.hpp"

namespace daedal::structure {

using Row = std::vector<std::pair<int, int>>;  // (unknown, order)

inline SignatureMatrix matrix_of(const std::vector<Row>& rows, int num_unknowns) {
  std::vector<SignatureEntry> entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [unknown, order] : rows[i]) {
      entries.push_back({static_cast<int>(i), unknown, order});
    }
  }
  return {static_cast<int>(rows.size()), num_unknowns, std::move(entries)};
}

inline SignatureMatrix square_matrix_of(const std::vector<Row>& rows) {
  return matrix_of(rows, static_cast<int>(rows.size()));
}

// x'' + lam x = 0, y'' + lam y = g, x^2 + y^2 = l^2; unknowns x, y, lam.
inline SignatureMatrix simple_pendulum() {
  return square_matrix_of({{{0, 2}, {2, 0}}, {{1, 2}, {2, 0}}, {{0, 0}, {1, 0}}});
}

// Pendulum k has unknowns x, y, lam = 3k, 3k+1, 3k+2; from the second on, its length depends on the
// lam before.
inline SignatureMatrix coupled_pendula(int num_pendula) {
  std::vector<Row> rows;
  for (int k = 0; k < num_pendula; ++k) {
    const int x = 3 * k;
    const int y = x + 1;
    const int lam = x + 2;
    rows.push_back({{x, 2}, {lam, 0}});
    rows.push_back({{y, 2}, {lam, 0}});
    rows.push_back({{x, 0}, {y, 0}});
    if (k > 0) rows.back().push_back({lam - 3, 0});
  }
  return square_matrix_of(rows);
}

// x_{i+1}' + x_i = sin t for i < n, x_n = cos t.
inline std::vector<Row> linear_chain(int n) {
  std::vector<Row> rows;
  for (int i = 0; i + 1 < n; ++i) rows.push_back({{i, 0}, {i + 1, 1}});
  rows.push_back({{n - 1, 0}});
  return rows;
}

// Small random numbers without the standard distributions, whose results differ between libraries.
class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}

  int below(int bound) { return static_cast<int>(generator_() % static_cast<unsigned>(bound)); }

  std::vector<int> permutation(int n) {
    std::vector<int> result(n);
    std::iota(result.begin(), result.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(result[i], result[below(i + 1)]);
    return result;
  }

 private:
  std::mt19937 generator_;
};

struct RandomShape {
  int num_equations = 0;
  int num_unknowns = 0;
  int num_tries = 0;  // places drawn; repeated ones count once
  int max_order = 3;
};

inline SignatureMatrix random_matrix(Random& random, const RandomShape& shape) {
  std::set<std::pair<int, int>> places;
  std::vector<SignatureEntry> entries;
  for (int k = 0; k < shape.num_tries; ++k) {
    const int i = random.below(shape.num_equations);
    const int j = random.below(shape.num_unknowns);
    if (!places.insert({i, j}).second) continue;
    entries.push_back({i, j, random.below(shape.max_order + 1)});
  }
  return {shape.num_equations, shape.num_unknowns, std::move(entries)};
}

// Square and regular: a random permutation, and places drawn besides it.
inline SignatureMatrix random_regular_matrix(Random& random, const RandomShape& shape) {
  const int n = shape.num_equations;
  std::set<std::pair<int, int>> places;
  std::vector<SignatureEntry> entries;
  const auto add = [&](int i, int j) {
    if (places.insert({i, j}).second) entries.push_back({i, j, random.below(shape.max_order + 1)});
  };
  const std::vector<int> guaranteed = random.permutation(n);
  for (int i = 0; i < n; ++i) add(i, guaranteed[i]);
  for (int k = 0; k < shape.num_tries; ++k) {
    const int i = random.below(n);
    add(i, random.below(n));
  }
  return {n, n, std::move(entries)};
}

// Row i becomes row new_equation[i], column j becomes column new_unknown[j].
inline SignatureMatrix permute(const SignatureMatrix& sigma, const std::vector<int>& new_equation,
                               const std::vector<int>& new_unknown) {
  std::vector<SignatureEntry> entries;
  for (int i = 0; i < sigma.num_equations(); ++i) {
    for (std::size_t k = 0; k < sigma.unknowns(i).size(); ++k) {
      entries.push_back({new_equation[i], new_unknown[sigma.unknowns(i)[k]], sigma.orders(i)[k]});
    }
  }
  return {sigma.num_equations(), sigma.num_unknowns(), std::move(entries)};
}

}  // namespace daedal::structure
