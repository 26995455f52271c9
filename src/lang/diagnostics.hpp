// Collects every problem of one model text, each with file:line:column, an excerpt and a caret.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daedal/error.hpp"
#include "lang/lexer.hpp"
#include "lang/load.hpp"

namespace daedal::lang {

// A problem before it is dressed with the file's name and the source line.
struct Finding {
  std::string id;
  Position position;
  std::string what;
  std::string why;
  std::string todo;
};

class Diagnostics {
 public:
  explicit Diagnostics(const Source& source) : source_(source) {}

  // Keeps the first finding per id and position.
  void report(Finding finding);

  bool has_problems() const { return !found_.empty(); }
  bool is_silent() const { return num_silences_ > 0; }
  // Grows with every report, also those that are dropped as repetitions.
  std::uint64_t num_reports() const { return num_reports_; }

  // Throws Error with the problems in the order of the text, if there are any: the first 20, and
  // how many more.
  void throw_if_any() const;

  // "crane.mo:12:7"
  std::string place(Position position) const;

  // While one of these lives, reports are dropped: the same text is evaluated aloud elsewhere.
  class Silence {
   public:
    explicit Silence(Diagnostics& diagnostics) : diagnostics_(diagnostics) {
      ++diagnostics_.num_silences_;
    }
    ~Silence() { --diagnostics_.num_silences_; }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

   private:
    Diagnostics& diagnostics_;
  };

 private:
  Problem problem_of(const Finding& finding) const;

  const Source& source_;
  std::vector<Finding> found_;
  std::set<std::pair<std::uint64_t, std::string>> seen_;
  std::uint64_t num_reports_ = 0;
  int num_silences_ = 0;
};

// The source line with a caret below the column; a long line is cut to a window around it.
std::string excerpt_of(std::string_view text, Position position);

}  // namespace daedal::lang
