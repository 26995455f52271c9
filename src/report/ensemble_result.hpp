// What an ensemble gave, for people and for scripts.
#pragma once

#include <string>
#include <vector>

#include "daedal/ensemble.hpp"

namespace daedal::report {

struct EnsembleResult {
  std::vector<std::string> parameters;      // in which members differ
  std::vector<std::vector<double>> values;  // by member, then parameter
  std::vector<Solution> solutions;          // by member
  EnsembleOptions options;                  // lanes and threads as used
  Seconds seconds;                          // of all together, by the clock on the wall

  std::size_t num_ok() const;
};

// "998 of 1000 members reached t = 10: 31234 steps, taylor of order 14, tolerance 1e-09\n"
std::string headline(const EnsembleResult& result);

// The headline and a line for each of the first members and of those that did not end well, at most
// 30 together.
std::string to_text(const EnsembleResult& result);

// {status, totals, members[], errors[]} (docs/reference/json.md). `problems` are the errors, empty
// if every member ended well.
std::string to_json(const EnsembleResult& result, const std::vector<Problem>& problems);

}  // namespace daedal::report
