// The one door between a Solution, which users read, and its record, which the library writes.
#pragma once

#include <memory>
#include <utility>

#include "solution/record.hpp"

namespace daedal {

class SolutionAccess {
 public:
  static Solution solution_of(solution::Record record) {
    Solution solution;
    solution.record_ = std::make_unique<solution::Record>(std::move(record));
    return solution;
  }
  static const solution::Record& record(const Solution& solution) { return solution.record(); }
  static solution::Record& record(Solution& solution) {
    if (!solution.record_) solution.record_ = std::make_unique<solution::Record>();
    return *solution.record_;
  }
};

}  // namespace daedal
