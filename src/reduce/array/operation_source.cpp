#include "reduce/array/operation_source.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "expr/node.hpp"

namespace daedal::reduce {
namespace {

using Index = SeriesIndex;
using expr::Op;

// One statement after the other; loops where coefficients are too many to be written out.
class Statements {
 public:
  explicit Statements(const OperationText& operation) : o_(operation) {}

  std::vector<std::string> take() && { return std::move(lines_); }

  std::string z(const Index& k) const { return o_.results[0](k); }
  std::string z(int k) const { return z(Index(k)); }
  std::string second(const Index& k) const { return o_.results[1](k); }
  std::string u(const Index& k) const { return o_.arguments[0](k); }
  std::string v(const Index& k) const { return o_.arguments[1](k); }
  std::string u0() const { return u(Index(0)); }
  std::string v0() const { return v(Index(0)); }
  const CoefficientText& argument(int which) const { return o_.arguments[which]; }
  const CoefficientText& result(int which) const { return o_.results[which]; }

  void set(const std::string& place, const std::string& value) {
    line(fmt::format("{} = {};", place, value));
  }
  void name(const char* constant, const std::string& value) {
    if (o_.num_orders > 1) line(fmt::format("const double {} = {};", constant, value));
  }

  template <typename Visit>
  void for_orders(int first, Visit visit) {
    if (o_.num_orders <= first) return;
    if (is_unrolled()) {
      for (int k = first; k < o_.num_orders; ++k) visit(Index(k));
      return;
    }
    line(fmt::format("for (int k = {}; k < {}; ++k) {{", first, o_.num_orders));
    indent_ += 2;
    visit(Index("k"));
    indent_ -= 2;
    line("}");
  }

  // term(to) + ... + term(from), the highest first; "" if there is none.
  template <typename Term>
  std::string sum(int from, const Index& to, Term term) {
    if (!to.number()) return looped_sum(from, to, term);
    std::string text;
    for (int j = *to.number(); j >= from; --j) text += (text.empty() ? "" : " + ") + term(Index(j));
    return text;
  }

  // 1/k sum_{j=1..k} j u_j g_{k-j}, T-fun.
  std::string by_derivative(const Index& k, const CoefficientText& of, const CoefficientText& g) {
    const std::string total = sum(1, k, [&](const Index& j) {
      return (j.number() == 1 ? "" : j.factor() + "*") + of(j) + "*" + g(k.minus(j));
    });
    return k.number() == 1 ? total : fmt::format("(1.0/{})*({})", k.factor(), total);
  }

 private:
  bool is_unrolled() const { return o_.num_orders <= most_unrolled_orders; }
  void line(const std::string& text) { lines_.push_back(std::string(indent_, ' ') + text); }

  template <typename Term>
  std::string looped_sum(int from, const Index& to, Term term) {
    const std::string name = fmt::format("sum{}", ++num_sums_);
    line(fmt::format("double {} = 0.0;", name));
    line(fmt::format("for (int j = {}; j >= {}; --j) {} += {};", to.text(), from, name,
                     term(Index("j"))));
    return name;
  }

  const OperationText& o_;
  std::vector<std::string> lines_;
  int indent_ = 0, num_sums_ = 0;
};

std::string minus(const std::string& sum) { return sum.empty() ? "" : fmt::format(" - ({})", sum); }

// floor((k - 1)/2), -1 for k = 0.
Index half_below(const Index& k) {
  return k.number() ? Index((*k.number() + 1) / 2 - 1) : Index("(k + 1)/2 - 1");
}

void multiply(Statements& s) {
  s.for_orders(0, [&](const Index& k) {
    s.set(s.z(k), s.sum(0, k, [&](const Index& j) { return s.u(j) + "*" + s.v(k.minus(j)); }));
  });
}

void square(Statements& s) {
  s.for_orders(0, [&](const Index& k) {
    const std::string sum =
        s.sum(0, half_below(k), [&](const Index& j) { return s.u(j) + "*" + s.u(k.minus(j)); });
    const std::string twice = sum.empty() ? "" : fmt::format("2.0*({})", sum);
    if (!k.number()) {
      s.set(s.z(k), fmt::format("k % 2 == 0 ? {0} + {1}*{1} : {0}", twice, s.u(Index("k/2"))));
    } else if (*k.number() % 2 == 1) {
      s.set(s.z(k), twice);
    } else {
      const std::string middle = s.u(Index(*k.number() / 2));
      s.set(s.z(k), fmt::format("{}{}{}*{}", twice, twice.empty() ? "" : " + ", middle, middle));
    }
  });
}

void divide(Statements& s) {
  s.set(s.z(0), s.u0() + "/" + s.v0());
  s.name("reciprocal", "1.0/" + s.v0());
  s.for_orders(1, [&](const Index& k) {
    const std::string known =
        s.sum(2, k, [&](const Index& j) { return "reciprocal*" + s.v(j) + "*" + s.z(k.minus(j)); });
    s.set(s.z(k), fmt::format("reciprocal*{}{} - reciprocal*{}*{}", s.u(k), minus(known),
                              s.v(Index(1)), s.z(k.minus(Index(1)))));
  });
}

void reciprocal(Statements& s) {
  s.set(s.z(0), "1.0/" + s.u0());
  s.name("first", s.z(0));
  s.for_orders(1, [&](const Index& k) {
    s.set(s.z(k), fmt::format("-({})", s.sum(1, k, [&](const Index& j) {
            return "first*" + s.u(j) + "*" + s.z(k.minus(j));
          })));
  });
}

void square_root(Statements& s) {
  s.set(s.z(0), fmt::format("sqrt({})", s.u0()));
  s.name("factor", "0.5/" + s.z(0));
  s.for_orders(1, [&](const Index& k) {
    const std::string known =
        s.sum(1, k.minus(Index(1)), [&](const Index& j) { return s.z(j) + "*" + s.z(k.minus(j)); });
    s.set(s.z(k),
          known.empty() ? s.u(k) + "*factor" : fmt::format("({}{})*factor", s.u(k), minus(known)));
  });
}

void raise(Statements& s, const std::string& exponent) {
  s.set(s.z(0), fmt::format("daedal_power({}, {})", s.u0(), exponent));
  s.name("reciprocal", "1.0/" + s.u0());
  s.for_orders(1, [&](const Index& k) {
    const std::string sum = s.sum(1, k, [&](const Index& j) {
      return fmt::format("(({} + 1.0)*{} - {})*({}*{})", exponent, j.factor(), k.factor(), s.u(j),
                         s.z(k.minus(j)));
    });
    const std::string product = fmt::format("({})*reciprocal", sum);
    s.set(s.z(k), k.number() == 1 ? product : fmt::format("(1.0/{})*({})", k.factor(), product));
  });
}

// A series that is its own partner, from a first value.
void exponential(Statements& s, const std::string& first) {
  s.set(s.z(0), first);
  s.for_orders(
      1, [&](const Index& k) { s.set(s.z(k), s.by_derivative(k, s.argument(0), s.result(0))); });
}

// Two that are partners of each other: s' = c u', c' = sign s u'.
void pair(Statements& s, const char* sine, const char* cosine, const char* sign) {
  s.set(s.z(0), fmt::format("{}({})", sine, s.u0()));
  s.set(s.second(Index(0)), fmt::format("{}({})", cosine, s.u0()));
  s.for_orders(1, [&](const Index& k) {
    s.set(s.z(k), s.by_derivative(k, s.argument(0), s.result(1)));
    s.set(s.second(k), fmt::format("{}({})", sign, s.by_derivative(k, s.argument(0), s.result(0))));
  });
}

// The partner is 1 + z^2 or 1 - z^2.
void with_square(Statements& s, const char* function, char sign) {
  s.set(s.z(0), fmt::format("{}({})", function, s.u0()));
  s.set(s.second(Index(0)), fmt::format("1.0 {} {}*{}", sign, s.z(0), s.z(0)));
  s.for_orders(1, [&](const Index& k) {
    s.set(s.z(k), s.by_derivative(k, s.argument(0), s.result(1)));
    const std::string squares =
        s.sum(0, k, [&](const Index& j) { return s.z(j) + "*" + s.z(k.minus(j)); });
    s.set(s.second(k), sign == '-' ? fmt::format("-({})", squares) : squares);
  });
}

std::string value_of(Op op, const std::string& u) {
  if (op == Op::positive) return fmt::format("{} > 0.0 ? 1.0 : 0.0", u);
  if (op == Op::nonnegative) return fmt::format("{} >= 0.0 ? 1.0 : 0.0", u);
  return fmt::format("{}({})", op == Op::abs ? "fabs" : expr::name_of(op), u);
}

void function(Statements& s, Op op) {
  s.set(s.z(0), value_of(op, s.u0()));
  s.for_orders(
      1, [&](const Index& k) { s.set(s.z(k), s.by_derivative(k, s.argument(0), s.argument(1))); });
}

void angle(Statements& s) {
  s.set(s.z(0), fmt::format("atan2({}, {})", s.u0(), s.argument(2)(Index(0))));
  s.for_orders(1, [&](const Index& k) {
    const std::string by_y = s.by_derivative(k, s.argument(0), s.argument(1));
    const std::string by_x = s.by_derivative(k, s.argument(2), s.argument(3));
    s.set(s.z(k), fmt::format("{} - {}", by_y, by_x));
  });
}

void absolute(Statements& s) {
  s.for_orders(0, [&](const Index& k) {
    s.set(s.z(k), fmt::format("{} < 0.0 ? -{} : {}", s.u0(), s.u(k), s.u(k)));
  });
}

void sign(Statements& s) {
  s.set(s.z(0), fmt::format("{0} > 0.0 ? 1.0 : ({0} < 0.0 ? -1.0 : {0})", s.u0()));
  s.for_orders(1, [&](const Index& k) { s.set(s.z(k), "0.0"); });
}

void branch(Statements& s, char relation) {
  s.for_orders(0, [&](const Index& k) {
    s.set(s.z(k), fmt::format("{} {} {} ? {} : {}", s.u0(), relation, s.v0(), s.u(k), s.v(k)));
  });
}

// z_k = before u_k after
void map(Statements& s, const std::string& before, const std::string& after) {
  s.for_orders(0, [&](const Index& k) { s.set(s.z(k), before + s.u(k) + after); });
}

void write(Statements& s, const OperationText& o) {
  switch (o.kind) {
    case OperationKind::scale: return map(s, o.number + "*", "");
    case OperationKind::multiply: return multiply(s);
    case OperationKind::square: return square(s);
    case OperationKind::divide: return divide(s);
    case OperationKind::divide_by_steady: return map(s, "", fmt::format("*(1.0/{})", o.number));
    case OperationKind::reciprocal: return reciprocal(s);
    case OperationKind::square_root: return square_root(s);
    case OperationKind::power:
    case OperationKind::steady_power: return raise(s, o.number);
    case OperationKind::varying_power: return exponential(s, o.number);
    case OperationKind::exponential: return exponential(s, fmt::format("exp({})", s.u0()));
    case OperationKind::sine_and_cosine: return pair(s, "sin", "cos", "-");
    case OperationKind::hyperbolic_sine_and_cosine: return pair(s, "sinh", "cosh", "");
    case OperationKind::tangent: return with_square(s, "tan", '+');
    case OperationKind::hyperbolic_tangent: return with_square(s, "tanh", '-');
    case OperationKind::function: return function(s, o.function);
    case OperationKind::angle: return angle(s);
    case OperationKind::absolute: return absolute(s);
    case OperationKind::sign: return sign(s);
    case OperationKind::minimum: return branch(s, '<');
    case OperationKind::maximum: return branch(s, '>');
    case OperationKind::sum:
    case OperationKind::scaled_sum:
    case OperationKind::sum_of_two: break;
  }
  base::report_bug("an operation on series that has statements", __FILE__, __LINE__);
}

// "u[2]" for a pointer u.
CoefficientText element_of(const char* pointer) {
  return [pointer](const Index& k) { return fmt::format("{}[{}]", pointer, k.text()); };
}

constexpr const char* result_names[] = {"z", "y"};
constexpr const char* series_names[] = {"u", "v", "w", "q"};

}  // namespace

std::vector<std::string> statements_of(const OperationText& operation) {
  Statements statements(operation);
  write(statements, operation);
  return std::move(statements).take();
}

OperationShape shape_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::scale:
    case OperationKind::divide_by_steady:
    case OperationKind::power:
    case OperationKind::steady_power:
    case OperationKind::varying_power: return {.takes_number = true};
    case OperationKind::multiply:
    case OperationKind::divide:
    case OperationKind::minimum:
    case OperationKind::maximum:
    case OperationKind::function: return {.num_series = 2};
    case OperationKind::angle: return {.num_series = 4};
    case OperationKind::sine_and_cosine:
    case OperationKind::hyperbolic_sine_and_cosine:
    case OperationKind::tangent:
    case OperationKind::hyperbolic_tangent: return {.num_results = 2};
    default: return {};
  }
}

std::string function_name(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::scale: return "scale";
    case OperationKind::multiply: return "multiply";
    case OperationKind::square: return "square";
    case OperationKind::divide: return "divide";
    case OperationKind::divide_by_steady: return "divide_by";
    case OperationKind::reciprocal: return "reciprocal";
    case OperationKind::square_root: return "square_root";
    case OperationKind::power:
    case OperationKind::steady_power: return "power";
    case OperationKind::varying_power: return "exponential_from";
    case OperationKind::exponential: return "exponential";
    case OperationKind::sine_and_cosine: return "sine_and_cosine";
    case OperationKind::hyperbolic_sine_and_cosine: return "hyperbolic_sine_and_cosine";
    case OperationKind::tangent: return "tangent";
    case OperationKind::hyperbolic_tangent: return "hyperbolic_tangent";
    case OperationKind::function:
      return "series_of_" + std::string(expr::name_of(operation.function));
    case OperationKind::angle: return "angle";
    case OperationKind::absolute: return "absolute";
    case OperationKind::sign: return "sign";
    case OperationKind::minimum: return "minimum";
    case OperationKind::maximum: return "maximum";
    default: return "sum";
  }
}

std::string function_symbol(const Operation& operation) {
  return fmt::format("{}_{}", function_name(operation), operation.num_orders);
}

std::string function_text(const Operation& operation) {
  const OperationShape shape = shape_of(operation.kind);
  OperationText text{.kind = operation.kind,
                     .function = operation.function,
                     .num_orders = static_cast<int>(operation.num_orders),
                     .results = {},
                     .arguments = {},
                     .number = "r"};
  std::string parameters;
  for (int n = 0; n < shape.num_results; ++n) {
    parameters += fmt::format("{}double *restrict {}", n == 0 ? "" : ", ", result_names[n]);
    text.results.push_back(element_of(result_names[n]));
  }
  for (int n = 0; n < shape.num_series; ++n) {
    parameters += fmt::format(", const double *{}", series_names[n]);
    text.arguments.push_back(element_of(series_names[n]));
  }
  if (shape.takes_number) parameters += ", double r";
  std::string result =
      fmt::format("static void {}({}) {{\n", function_symbol(operation), parameters);
  for (const std::string& line : statements_of(text)) result += "  " + line + "\n";
  return result + "}\n";
}

// Coefficients are added up beside each other. The result is in the table, so it is not restrict.
std::string sum_function(int num_orders) {
  const bool is_unrolled = num_orders <= most_unrolled_orders;
  std::string result = fmt::format(
      "static void sum_{}(double *z, double number, int n, const double *a, const double "
      "*table,\n    const int *u) {{\n",
      num_orders);
  std::string terms, ends;
  for (int k = 0; is_unrolled && k < num_orders; ++k) {
    result += fmt::format("  double z{} = {};\n", k, k == 0 ? "number" : "0.0");
    terms += fmt::format("    z{0} += a[j]*table[u[j] + {0}];\n", k);
    ends += fmt::format("  z[{0}] = z{0};\n", k);
  }
  if (is_unrolled)
    return result + "  for (int j = 0; j < n; ++j) {\n" + terms + "  }\n" + ends + "}\n";
  return result + fmt::format(
                      "  for (int k = 0; k < {0}; ++k) z[k] = k == 0 ? number : 0.0;\n"
                      "  for (int j = 0; j < n; ++j)\n"
                      "    for (int k = 0; k < {0}; ++k) z[k] += a[j]*table[u[j] + k];\n"
                      "}}\n",
                      num_orders);
}

const std::vector<LibraryFunction>& library_functions() {
  // expr::apply_power.
  static const std::vector<LibraryFunction> all = {
      {"daedal_power", R"(static double daedal_power(double base, double exponent) {
  const double size = fabs(exponent);
  double result = 1.0, square = base;
  if (exponent == 0.5) return sqrt(base);
  if (exponent == 1.5) return base*sqrt(base);
  if (exponent == -1.5) return 1.0/(base*sqrt(base));
  if (size > 64.0 || size != floor(size)) return pow(base, exponent);
  for (int bits = (int)size; bits > 0; bits >>= 1, square *= square)
    if (bits & 1) result *= square;
  return exponent < 0.0 ? 1.0/result : result;
}
)"}};
  return all;
}

}  // namespace daedal::reduce
