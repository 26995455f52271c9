// Always-on checks of our own invariants. A failed check is a bug of daedal, never of the model.
#pragma once

#include <stdexcept>
#include <string>

namespace daedal::base {

class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void report_bug(const char* condition, const char* file, int line);

}  // namespace daedal::base

#define DAEDAL_CHECK(condition)                                                   \
  do {                                                                            \
    if (!(condition)) ::daedal::base::report_bug(#condition, __FILE__, __LINE__); \
  } while (false)
