// Expressions: what equations are written in. An Expression is a small handle (a pointer and an
// index) to a node of its model's graph; copying it copies the handle. A number is an Expression of
// no model, and can be combined with those of any model.
//
//   Expression x = model.variable("x");
//   Expression r = sqrt(sqr(x) + 1) * der(x, 2);
//
// An Expression is valid as long as its Model. Expressions of two models must not be mixed
// (daedal::Error E-MOD-006).
#pragma once

#include <cstdint>

namespace daedal {

namespace expr {
class Graph;
}

class Expression {
 public:
  Expression() = default;  // the number 0
  // NOLINTNEXTLINE(google-explicit-constructor): 2*x must just work
  Expression(double value) : value_(value) {}

  // The expression of a graph's node, for the library itself.
  static Expression of(expr::Graph* graph, std::uint32_t node) {
    Expression result;
    result.graph_ = graph;
    result.node_ = node;
    return result;
  }

  bool is_number() const { return graph_ == nullptr; }
  double number() const { return value_; }       // meaningful if is_number()
  expr::Graph* graph() const { return graph_; }  // null if is_number()
  std::uint32_t node() const { return node_; }   // meaningful unless is_number()

  Expression& operator+=(const Expression& other);
  Expression& operator-=(const Expression& other);
  Expression& operator*=(const Expression& other);
  Expression& operator/=(const Expression& other);

 private:
  expr::Graph* graph_ = nullptr;
  std::uint32_t node_ = 0;
  double value_ = 0.0;
};

// An equation before it is given to a model: left = right.
struct Equality {
  Expression left;
  Expression right;
};
Equality operator==(const Expression& left, const Expression& right);

Expression operator+(const Expression& a);
Expression operator-(const Expression& a);
Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);

// d^order/dt^order of any expression; der of a number is 0. Throws E-MOD-008 for an order below 0
// or above 1000.
Expression der(const Expression& a, int order = 1);

Expression pow(const Expression& base, const Expression& exponent);
Expression sqr(const Expression& a);
Expression sqrt(const Expression& a);
Expression exp(const Expression& a);
Expression log(const Expression& a);
Expression log10(const Expression& a);
Expression sin(const Expression& a);
Expression cos(const Expression& a);
Expression tan(const Expression& a);
Expression asin(const Expression& a);
Expression acos(const Expression& a);
Expression atan(const Expression& a);
Expression atan2(const Expression& y, const Expression& x);
Expression sinh(const Expression& a);
Expression cosh(const Expression& a);
Expression tanh(const Expression& a);
Expression asinh(const Expression& a);
Expression acosh(const Expression& a);
Expression atanh(const Expression& a);
Expression erf(const Expression& a);
Expression abs(const Expression& a);
Expression sign(const Expression& a);  // -1, 0 or 1
Expression min(const Expression& a, const Expression& b);
Expression max(const Expression& a, const Expression& b);

// A condition is true or false as the solution goes: the solution just after the present time
// decides, so that x > 0 holds from the zero on at which x begins to grow.
class Condition {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): true is a condition
  Condition(bool value) : value_(value ? 1.0 : 0.0) {}
  // A condition from an expression that is 1 where the condition holds, else 0, such as a discrete
  // variable that is used as a condition.
  explicit Condition(const Expression& value) : value_(value) {}
  const Expression& value() const { return value_; }

  // This conversion does not compile: whether a condition holds changes as the solution goes, and
  // C++ would decide it once and for all while the model is written.
  template <typename Bool>
  explicit operator Bool() const {
    static_assert(sizeof(Bool) == 0,
                  "an `if` (or ?:, while) on a daedal::Condition: write if_else(condition, then, "
                  "otherwise), so that both branches become part of the model");
    return Bool{};
  }

 private:
  Expression value_;
};
Condition operator>(const Expression& a, const Expression& b);
Condition operator>=(const Expression& a, const Expression& b);
Condition operator<(const Expression& a, const Expression& b);
Condition operator<=(const Expression& a, const Expression& b);
Condition operator&&(const Condition& a, const Condition& b);
Condition operator||(const Condition& a, const Condition& b);
Condition operator!(const Condition& a);
// A truth value on one side is a condition, too.
inline Condition operator&&(const Condition& a, bool b) { return a && Condition(b); }
inline Condition operator&&(bool a, const Condition& b) { return Condition(a) && b; }
inline Condition operator||(const Condition& a, bool b) { return a || Condition(b); }
inline Condition operator||(bool a, const Condition& b) { return Condition(a) || b; }

// `then` while the condition holds, else `otherwise`.
Expression if_else(const Condition& condition, const Expression& then, const Expression& otherwise);

}  // namespace daedal
