// What daedal says when input is wrong: an id, what happened, where, why (with the numbers), what
// to do.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace daedal {

// One finding. `id` is stable and has a page: `daedal explain <id>`.
struct Problem {
  std::string id = {};       // "E-LNG-002"
  std::string what = {};     // one line, no trailing full stop
  std::string where = {};    // "crane.mo:12:7 equation 'length'"
  std::string why = {};      // the reason, in the user's names, with the numbers
  std::string todo = {};     // what to do about it
  std::string excerpt = {};  // for model text: the source line with a caret below it; may be empty

  // The problem as people read it: several lines, each with a line break at its end.
  std::string text() const;
};

// Wrong input: a model, an option, a name or a file. solve() and its like throw an Error before the
// first step; functions that look into a result throw one for a name or a time that the result does
// not have. An Error carries every problem found, at least one. Numerical trouble is no Error but a
// Status.
class Error : public std::exception {
 public:
  explicit Error(Problem problem);
  explicit Error(std::vector<Problem> problems);

  const char* what() const noexcept override { return text_.c_str(); }
  const std::vector<Problem>& problems() const noexcept { return problems_; }
  // The id of the first problem.
  const std::string& id() const noexcept { return problems_.front().id; }

 private:
  std::vector<Problem> problems_;
  std::string text_;
};

// The page of an error id in Markdown, as `daedal explain` prints it; empty if there is no such id.
// Case does not matter.
std::string error_page(const std::string& id);

// All ids that have a page, sorted.
std::vector<std::string> error_ids();

}  // namespace daedal
