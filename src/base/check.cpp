#include "base/check.hpp"

#include <fmt/format.h>

namespace daedal::base {

void report_bug(const char* condition, const char* file, int line) {
  throw Bug(
      fmt::format("internal check failed: {} ({}:{}). This is a bug of daedal; please report it "
                  "with the model.",
                  condition, file, line));
}

}  // namespace daedal::base
