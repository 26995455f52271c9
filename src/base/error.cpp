#include "daedal/error.hpp"

#include <utility>

#include "base/check.hpp"

namespace daedal {
namespace {

// "  why    first line\n         second line\n": continuation lines align with the first.
void append_field(std::string& out, const char* label, const std::string& text) {
  if (text.empty()) return;
  out += "  ";
  out += label;
  for (const char ch : text) {
    out += ch;
    if (ch == '\n') out += "         ";
  }
  out += '\n';
}

std::string join(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& problem : problems) {
    if (!out.empty()) out += '\n';
    out += problem.text();
  }
  return out;
}

}  // namespace

std::string Problem::text() const {
  std::string out = id + "  " + what + '\n';
  append_field(out, "where  ", where);
  append_field(out, "       ", excerpt);
  append_field(out, "why    ", why);
  append_field(out, "do     ", todo);
  return out;
}

Error::Error(Problem problem) : Error(std::vector<Problem>{std::move(problem)}) {}

Error::Error(std::vector<Problem> problems)
    : problems_(std::move(problems)), text_(join(problems_)) {
  DAEDAL_CHECK(!problems_.empty());
}

}  // namespace daedal
