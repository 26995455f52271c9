#include "lang/builtins.hpp"

#include <array>
#include <limits>
#include <utility>

namespace daedal::lang {
namespace {

using expr::Op;
constexpr int any_number = std::numeric_limits<int>::max();

constexpr std::array functions = {
    Function{"sin", FunctionKind::elementary, Op::sin},
    Function{"cos", FunctionKind::elementary, Op::cos},
    Function{"tan", FunctionKind::elementary, Op::tan},
    Function{"asin", FunctionKind::elementary, Op::asin},
    Function{"acos", FunctionKind::elementary, Op::acos},
    Function{"atan", FunctionKind::elementary, Op::atan},
    Function{"atan2", FunctionKind::atan2, Op::atan2, 2, 2},
    Function{"sinh", FunctionKind::elementary, Op::sinh},
    Function{"cosh", FunctionKind::elementary, Op::cosh},
    Function{"tanh", FunctionKind::elementary, Op::tanh},
    Function{"asinh", FunctionKind::elementary, Op::asinh},
    Function{"acosh", FunctionKind::elementary, Op::acosh},
    Function{"atanh", FunctionKind::elementary, Op::atanh},
    Function{"erf", FunctionKind::elementary, Op::erf},
    Function{"exp", FunctionKind::elementary, Op::exp},
    Function{"log", FunctionKind::elementary, Op::log},
    Function{"log10", FunctionKind::log10},
    Function{"sqrt", FunctionKind::square_root},
    Function{"abs", FunctionKind::elementary, Op::abs},
    Function{"sign", FunctionKind::elementary, Op::sign},
    Function{"min", FunctionKind::minimum, Op::min, 1, 2},
    Function{"max", FunctionKind::maximum, Op::max, 1, 2},
    Function{"der", FunctionKind::derivative, Op::diff, 1, 2},
    Function{"pre", FunctionKind::previous},
    Function{"noEvent", FunctionKind::transparent},
    Function{"smooth", FunctionKind::transparent, Op::constant, 2, 2},
    Function{"sum", FunctionKind::sum},
    Function{"product", FunctionKind::product},
    Function{"size", FunctionKind::size, Op::constant, 1, 2},
    Function{"fill", FunctionKind::fill, Op::constant, 2, any_number},
    Function{"zeros", FunctionKind::zeros, Op::constant, 1, any_number},
    Function{"ones", FunctionKind::ones, Op::constant, 1, any_number},
    Function{"mod", FunctionKind::structural, Op::constant, 2, 2},
    Function{"div", FunctionKind::structural, Op::constant, 2, 2},
    Function{"rem", FunctionKind::structural, Op::constant, 2, 2},
    Function{"floor", FunctionKind::structural},
    Function{"ceil", FunctionKind::structural},
    Function{"integer", FunctionKind::structural},
};

// Functions of full Modelica that are left out, and what to write instead.
constexpr std::array<std::pair<std::string_view, std::string_view>, 31> outside = {{
    {"edge", "write the condition itself: a 'when' happens as it becomes true"},
    {"change", "write two 'when' clauses, one for the condition and one for its opposite"},
    {"sample",
     "keep the next instant in a variable, discrete Real next(start = first), and write: when time "
     ">= next then next = next + interval; end when;"},
    {"initial", "what holds at the start stands in start values and in 'initial equation'"},
    {"terminal", "take the last values from the solution"},
    {"homotopy", "write its first argument"},
    {"assert", "write: when not (condition) then terminate(\"message\"); end when;"},
    {"reinit", "reinit(x, value); is a statement of its own in a 'when'"},
    {"terminate", "terminate(\"message\"); is a statement of its own in a 'when'"},
    {"delay", ""},
    {"cardinality", ""},
    {"semiLinear", "write (if x >= 0 then a*x else b*x)"},
    {"inStream", ""},
    {"actualStream", ""},
    {"spatialDistribution", ""},
    {"getInstanceName", ""},
    {"String", ""},
    {"Integer", ""},
    {"identity", ""},
    {"diagonal", ""},
    {"transpose", ""},
    {"outerProduct", ""},
    {"symmetric", ""},
    {"cross", ""},
    {"skew", ""},
    {"linspace", ""},
    {"cat", ""},
    {"vector", ""},
    {"matrix", ""},
    {"scalar", ""},
    {"ndims", ""},
}};

constexpr Function outside_function{"", FunctionKind::outside};

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> replacements = {{
    {"pow", "write a^b"},
    {"power", "write a^b"},
    {"sqr", "write a^2"},
    {"square", "write a^2"},
    {"cbrt", "write a^(1/3)"},
    {"ln", "the natural logarithm is log"},
    {"fabs", "the absolute value is abs"},
    {"diff", "the derivative is der(x) or der(x, k)"},
    {"dot", "the derivative is der(x); the scalar product of two arrays is a*b"},
    {"arctan", "the inverse tangent is atan"},
    {"arcsin", "the inverse sine is asin"},
    {"arccos", "the inverse cosine is acos"},
}};

}  // namespace

const Function* find_function(std::string_view name) {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  for (const auto& [other, advice] : outside)
    if (other == name) return &outside_function;
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : functions) names.emplace_back(function.name);
  return names;
}

std::string_view replacement_for(std::string_view name) {
  for (const auto& [other, advice] : replacements)
    if (other == name) return advice;
  for (const auto& [other, advice] : outside)
    if (other == name) return advice;
  return {};
}

}  // namespace daedal::lang
