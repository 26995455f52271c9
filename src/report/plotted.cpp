#include "report/plotted.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/near_miss.hpp"
#include "base/wording.hpp"
#include "daedal/error.hpp"
#include "model/model_data.hpp"

namespace daedal::report {
namespace {

constexpr std::size_t most_by_default = 4;  // plots that still fit a screen

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

// Parts of a text between separators outside of brackets and quotes.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char ch = text[k];
    if (ch == '\'') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (ch == '(' || ch == '[') ++depth;
    if (ch == ')' || ch == ']') --depth;
    if (ch != separator || depth > 0) continue;
    parts.push_back(trimmed(text.substr(begin, k - begin)));
    begin = k + 1;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

Quantity read_quantity(const std::string& text) {
  const model::NamedDerivative named = model::read_derivative_name(text);
  return {named.name, named.order};
}

class Finder {
 public:
  Finder(const std::vector<std::string>& variables, const std::vector<std::string>& outputs)
      : variables_(variables), outputs_(outputs) {}

  Plotted find(const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() != 2 || is_known(text)) return {find_quantity(text, text)};
    const Quantity across = find_quantity(parts[0], text);
    return {find_quantity(parts[1], text), across};
  }

  void finish() const {
    if (!problems_.empty()) throw Error(problems_);
  }

 private:
  static bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  bool is_known(const std::string& name) const {
    return has(variables_, name) || has(outputs_, name);
  }

  Quantity find_quantity(const std::string& text, const std::string& plot) {
    if (is_known(text)) return {text};
    Quantity quantity = read_quantity(text);
    if (!is_known(quantity.name)) add_unknown(quantity.name, plot);
    if (quantity.order > 0 && has(outputs_, quantity.name)) add_no_derivative(quantity, plot);
    return quantity;
  }

  void add_unknown(const std::string& name, const std::string& plot) {
    std::vector<std::string> known = variables_;
    known.insert(known.end(), outputs_.begin(), outputs_.end());
    const std::string hint = base::did_you_mean(name, known);
    problems_.push_back(
        {.id = "E-SOL-002",
         .what = fmt::format("there is no variable '{}'", name),
         .where = fmt::format("plot '{}'", plot),
         .why = fmt::format("the variables and outputs are {}", base::listed(known)),
         .todo = hint.empty() ? "draw one of these, or a derivative of it such as der(x)" : hint});
  }

  void add_no_derivative(const Quantity& quantity, const std::string& plot) {
    problems_.push_back({.id = "E-SOL-004",
                         .what = fmt::format("derivative {} of output '{}' cannot be told",
                                             quantity.order, quantity.name),
                         .where = fmt::format("plot '{}'", plot),
                         .why = "outputs are evaluated from the variables, they have values only",
                         .todo = fmt::format("draw '{}' itself", quantity.name)});
  }

  const std::vector<std::string>& variables_;
  const std::vector<std::string>& outputs_;
  std::vector<Problem> problems_;
};

}  // namespace

std::string Quantity::label() const {
  if (order == 0) return name;
  return order == 1 ? fmt::format("der({})", name) : fmt::format("der({}, {})", name, order);
}

std::vector<std::string> split_names(std::string_view list) { return split(list, ','); }

std::vector<Plotted> find_plotted(const std::vector<std::string>& names,
                                  const std::vector<std::string>& variables,
                                  const std::vector<std::string>& outputs) {
  std::vector<Plotted> plots;
  if (names.empty())
    for (std::size_t k = 0; k < std::min(variables.size(), most_by_default); ++k)
      plots.push_back({{variables[k]}});
  Finder finder(variables, outputs);
  for (const std::string& name : names) plots.push_back(finder.find(name));
  finder.finish();
  return plots;
}

}  // namespace daedal::report
