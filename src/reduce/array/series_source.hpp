// A series program as C statements on a small table z. Series get a place when they are computed
// and give it back after their last use, so that z is as large as what is alive at once, not as the
// program; results are written as soon as they can be.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reduce/array/series_program.hpp"

namespace daedal::reduce {

// array[index] = sum of factor * table[position], in this order.
struct WantedValue {
  struct Part {
    std::uint32_t position = 0;
    double factor = 1.0;
  };
  char array = 'G';
  int index = 0;  // its target is G[index]
  std::vector<Part> parts;
};

struct SeriesSource {
  // Statements by operation: what belongs together is not to be torn apart.
  std::vector<std::vector<std::string>> statements;
  // Those of the wanted values that are numbers: no statement sets them.
  struct Constant {
    char array = 'G';
    int index = 0;
    double value = 0.0;
  };
  std::vector<Constant> constants;
  std::size_t num_places = 0;  // of z
  // Static functions that the statements call: symbol and text.
  std::map<std::string, std::string> functions;
};

// Names in the statements: t, X[column], p[index], z. `column_numbers`: what the program's columns
// are called. The program must not have run.
SeriesSource series_source(const SeriesProgram& program, const std::vector<WantedValue>& wanted,
                           const std::vector<int>& column_numbers);

}  // namespace daedal::reduce
