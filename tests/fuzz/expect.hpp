// What a fuzz target finds wrong ends it, so that the fuzzer keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "daedal/error.hpp"

namespace daedal::fuzz {

[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "does not hold: %s\n", what.c_str());
  std::abort();
}

inline void expect(bool holds, const char* what) {
  if (!holds) fail(what);
}

// No character that a terminal would obey.
inline bool is_printable(const std::string& text) {
  for (const char ch : text) {
    const auto byte = static_cast<unsigned char>(ch);
    if ((byte < 0x20 && ch != '\n' && ch != '\t') || byte == 0x7f) return false;
  }
  return true;
}

// The body may throw Error, of which each problem says what, where, why and what to do, and nothing
// else.
template <typename Body>
void expect_sound_errors(Body body) {
  try {
    body();
  } catch (const Error& error) {
    if (!is_printable(error.what())) fail(std::string("a message is text: ") + error.what());
    for (const Problem& problem : error.problems()) {
      const bool is_complete = !problem.id.empty() && !problem.what.empty() &&
                               !problem.where.empty() && !problem.why.empty() &&
                               !problem.todo.empty();
      if (!is_complete) fail("a problem says everything: " + problem.text());
    }
  }
}

}  // namespace daedal::fuzz
