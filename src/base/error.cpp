#include "daedal/error.hpp"

#include <utility>

#include "base/check.hpp"
#include "base/printable.hpp"
#include "base/problem_text.hpp"

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

std::string base::text_of(const Problem& problem) {
  std::string out = problem.id + "  " + problem.what + '\n';
  append_field(out, "where  ", problem.where);
  append_field(out, "       ", problem.excerpt);
  append_field(out, "why    ", problem.why);
  append_field(out, "do     ", problem.todo);
  return out;
}

Problem base::printable(Problem problem) {
  for (std::string* field :
       {&problem.id, &problem.what, &problem.where, &problem.why, &problem.todo, &problem.excerpt})
    *field = printable(*field);
  return problem;
}

std::string Problem::text() const { return base::text_of(base::printable(*this)); }

Error::Error(Problem problem) : Error(std::vector<Problem>{std::move(problem)}) {}

Error::Error(std::vector<Problem> problems)
    : problems_(std::move(problems)), text_(join(problems_)) {
  DAEDAL_CHECK(!problems_.empty());
}

}  // namespace daedal
