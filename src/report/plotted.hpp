// The names of what is plotted: "x", "der(x, 2)", "x:y".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daedal::report {

// A variable, a derivative of it, a discrete variable or an output.
struct Quantity {
  std::string name;
  int order = 0;

  std::string label() const;  // "x", "der(x)", "der(x, 2)"
};

// One plot: `up` against `across`, or against time.
struct Plotted {
  Quantity up;
  std::optional<Quantity> across = {};
};

// "x,y[1,2],der(z, 2)" -> {"x", "y[1,2]", "der(z, 2)"}: commas inside brackets and quotes part
// nothing.
std::vector<std::string> split_names(std::string_view list);

// Without names, the first variables, four at most. Throws Error E-SOL-002 for every name that is
// no variable or output, E-SOL-004 for every derivative of an output.
std::vector<Plotted> find_plotted(const std::vector<std::string>& names,
                                  const std::vector<std::string>& variables,
                                  const std::vector<std::string>& outputs);

}  // namespace daedal::report
