// Values of options, read strictly: a value is the whole text or it is an error.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daedal/error.hpp"
#include "daedal/model.hpp"

namespace daedal::cli {

// An option that takes a value, and the texts given for it; the last counts.
struct GivenOption {
  const char* name;   // "--tol"
  const char* takes;  // "a number from 1e-15 to 0.1, such as 1e-9": what the message says
  std::vector<std::string> choices = {};  // if it takes one of a few words
  std::vector<std::string> texts = {};
};

// Empty if the text is a number, true (1) or false (0), which is then written; else why it is none.
// nan and inf are numbers here.
std::string parse_parameter_value(const std::string& text, double& value);

// Reads values and collects what is wrong with them (E-CLI-003, E-CLI-009).
class OptionReader {
 public:
  // Nothing if the option was not given, or not well.
  std::optional<double> number(const GivenOption& option);
  std::optional<double> positive_number(const GivenOption& option);
  std::optional<int> whole_number(const GivenOption& option);
  std::optional<int> positive_whole_number(const GivenOption& option);
  std::vector<double> numbers(const GivenOption& option);  // "1,2.5,10"
  std::vector<int> whole_numbers(const GivenOption& option);
  std::string text(const GivenOption& option, std::string otherwise);
  // One of the option's choices; another word gets the nearest of them.
  std::string choice(const GivenOption& option, std::string otherwise);
  // "g=9.81" -> {"g", 9.81}
  ParameterValues parameters(const std::vector<std::string>& settings);

  // "der(x)=1.5" -> {"der(x)", 1.5}
  std::map<std::string, double> point(const GivenOption& option);

  void add(Problem problem) { problems_.push_back(std::move(problem)); }
  void add(const std::vector<Problem>& problems) {
    problems_.insert(problems_.end(), problems.begin(), problems.end());
  }
  // Throws what was collected, if anything was.
  void finish();

 private:
  template <typename Number>
  std::vector<Number> list(const GivenOption& option,
                           std::string (*parse)(const std::string&, Number&));
  void refuse(const GivenOption& option, const std::string& why, const std::string& hint = "");

  std::vector<Problem> problems_;
};

}  // namespace daedal::cli
