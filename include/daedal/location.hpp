// Where in C++ source an equation or variable was written, for messages.
//
// Location is std::source_location in everything but name: clang has the builtin that
// std::source_location needs only from version 16 on.
#pragma once

namespace daedal {

struct Location {
  const char* file = "";
  unsigned line = 0;

  static constexpr Location current(const char* file = __builtin_FILE(),
                                    unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace daedal
