// Every method on every problem that it claims or at least takes, as parameters of tests.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/claims.hpp"

namespace daedal::test {

struct Cell {
  Row row;
  Method method;
  Claim claim;

  std::string name() const {
    std::string text = std::string(row.problem) + "_by_" + method.name;
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
  }
};

inline void PrintTo(const Cell& cell, std::ostream* stream) { *stream << cell.name(); }

inline std::vector<Cell> cells(Size size) {
  std::vector<Cell> all;
  for (const Row& row : rows())
    for (std::size_t k = 0; k < num_methods; ++k)
      if (row.size == size && row.claims[k] != no) all.push_back({row, methods[k], row.claims[k]});
  return all;
}

}  // namespace daedal::test
