#include "cli/messages.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace daedal::cli {

void print_findings(const std::vector<Problem>& problems, bool is_text_above) {
  std::fflush(stdout);
  if (problems.empty()) return;
  fmt::print(stderr, "{}{}", is_text_above ? "\n" : "", Error(problems).what());
}

}  // namespace daedal::cli
