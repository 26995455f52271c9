// Where in C++ source an equation or variable was written, for messages.
//
// std::source_location in everything but name; clang gained the builtin behind that one only in
// version 16.
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
