// Expressions, equalities and conditions with Python's operators. NumPy's functions reach them
// through __array_ufunc__, which python/daedal/_functions.py adds.
#include <functional>

#include "bindings.hpp"
#include "expr/print.hpp"

namespace daedal::python {
namespace {

using Unary = Expression (*)(const Expression&);
using Binary = Expression (*)(const Expression&, const Expression&);

[[noreturn]] void fail(const std::string& text) { throw py::type_error(text); }

std::string type_name(py::handle object) {
  return py::cast<std::string>(py::type::handle_of(object).attr("__name__"));
}

// The model of the first operand that has one. Whether both are the same is checked by the
// operation itself (E-MOD-006).
SharedModel common_model(const SharedExpression& a, const SharedExpression& b) {
  return a.model ? a.model : b.model;
}

SharedExpression apply(Binary operation, const SharedExpression& a, const SharedExpression& b) {
  return {operation(a.expression, b.expression), common_model(a, b)};
}

std::string text_of(const SharedExpression& a, std::size_t limit = 400) {
  if (a.expression.is_number())
    return py::cast<std::string>(py::repr(py::float_(a.expression.number())));
  return expr::to_text(*a.expression.graph(), expr::NodeId(a.expression.node()), limit);
}

std::string text_of(const SharedEquality& equality) {
  return text_of(equality.left) + " == " + text_of(equality.right);
}

std::string text_of(const SharedCondition& condition) {
  const Expression& value = condition.condition.value();
  if (value.is_number()) return value.number() != 0.0 ? "True" : "False";
  return text_of(SharedExpression{value, condition.model});
}

// a op b where b may be anything: NotImplemented lets Python ask b, NumPy arrays among others.
template <typename Result>
py::object with_other(
    const SharedExpression& a, const py::object& other,
    const std::function<Result(const SharedExpression&, const SharedExpression&)>& operation,
    bool is_reflected = false) {
  if (!is_expression_like(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
  const SharedExpression b = to_expression(other);
  return py::cast(is_reflected ? operation(b, a) : operation(a, b));
}

void bind_arithmetic(py::class_<SharedExpression>& type) {
  const auto add_operator = [&type](const char* name, const char* reflected, Binary operation) {
    const auto apply_it = [operation](const SharedExpression& a, const SharedExpression& b) {
      return apply(operation, a, b);
    };
    type.def(name, [apply_it](const SharedExpression& a, const py::object& b) {
      return with_other<SharedExpression>(a, b, apply_it);
    });
    type.def(reflected, [apply_it](const SharedExpression& a, const py::object& b) {
      return with_other<SharedExpression>(a, b, apply_it, true);
    });
  };
  add_operator("__add__", "__radd__",
               [](const Expression& a, const Expression& b) { return a + b; });
  add_operator("__sub__", "__rsub__",
               [](const Expression& a, const Expression& b) { return a - b; });
  add_operator("__mul__", "__rmul__",
               [](const Expression& a, const Expression& b) { return a * b; });
  add_operator("__truediv__", "__rtruediv__",
               [](const Expression& a, const Expression& b) { return a / b; });
  add_operator("__pow__", "__rpow__",
               [](const Expression& a, const Expression& b) { return pow(a, b); });
  type.def("__neg__", [](const SharedExpression& a) {
    return SharedExpression{-a.expression, a.model};
  });
  type.def("__pos__", [](const SharedExpression& a) { return a; });
  type.def("__abs__", [](const SharedExpression& a) {
    return SharedExpression{abs(a.expression), a.model};
  });
}

void bind_relations(py::class_<SharedExpression>& type) {
  const auto add_relation = [&type](const char* name, auto relation) {
    const auto apply_it = [relation](const SharedExpression& a, const SharedExpression& b) {
      return SharedCondition{relation(a.expression, b.expression), common_model(a, b)};
    };
    type.def(name, [apply_it](const SharedExpression& a, const py::object& b) {
      return with_other<SharedCondition>(a, b, apply_it);
    });
  };
  add_relation("__lt__", [](const Expression& a, const Expression& b) { return a < b; });
  add_relation("__le__", [](const Expression& a, const Expression& b) { return a <= b; });
  add_relation("__gt__", [](const Expression& a, const Expression& b) { return a > b; });
  add_relation("__ge__", [](const Expression& a, const Expression& b) { return a >= b; });
  type.def("__eq__", [](const SharedExpression& a, const py::object& b) {
    return with_other<SharedEquality>(
        a, b, [](const SharedExpression& left, const SharedExpression& right) {
          return SharedEquality{left, right};
        });
  });
  type.def("__ne__", [](const SharedExpression&, const py::object&) -> bool {
    fail(
        "`!=` between expressions is neither an equation nor a condition: an equation is "
        "left == right, a condition a < b or (a < b) | (a > b)");
  });
}

std::size_t hash_of(const SharedExpression& a) {
  if (a.expression.is_number()) return std::hash<double>{}(a.expression.number());
  return std::hash<const void*>{}(a.expression.graph()) * 31 + a.expression.node();
}

double number_of(const SharedExpression& a) {
  if (!a.expression.is_number())
    fail("'" + text_of(a, 80) +
         "' is an expression of a model, not a number; its values are in a solution: "
         "sol(\"x\", t)");
  return a.expression.number();
}

void bind_expression(py::module_& module) {
  py::class_<SharedExpression> type(
      module, "Expression",
      "A term of a model's equations: made from variables, parameters and numbers by operators and "
      "functions.\n\nArithmetic and `daedal.sin`, `numpy.sin`, ... give expressions, `==` gives an "
      "equation, `<`, `<=`, `>`, `>=` give conditions. An expression keeps its model alive.");
  bind_arithmetic(type);
  bind_relations(type);
  type.def("__hash__", &hash_of)
      .def("__bool__",
           [](const SharedExpression& a) -> bool {
             if (a.expression.is_number()) return a.expression.number() != 0.0;
             fail("'" + text_of(a, 80) +
                  "' is an expression of a model and neither true nor false; "
                  "daedal.if_else(condition, a, b) chooses while a model is solved");
           })
      .def("__float__", &number_of)
      .def("__repr__", [](const SharedExpression& a) { return text_of(a); })
      .def_property_readonly(
          "is_number", [](const SharedExpression& a) { return a.expression.is_number(); },
          "Whether it is a plain number, of no model.")
      .def("_model", [](const SharedExpression& a) { return a.model; });
}

void bind_equality(py::module_& module) {
  py::class_<SharedEquality>(module, "Equality",
                             "left == right, an equation before it is given to a model "
                             "(`Model.equation`).")
      .def_readonly("left", &SharedEquality::left, "The left side.")
      .def_readonly("right", &SharedEquality::right, "The right side.")
      .def("__bool__",
           [](const SharedEquality& equality) -> bool {
             fail("'" + text_of(equality) +
                  "' is an equation and neither true nor false: give it to model.equation(...). It "
                  "cannot be chained (a == b == c), nor be used in `if`, `and`, `or`, `in`");
           })
      .def("__repr__", [](const SharedEquality& equality) { return text_of(equality); });
}

Condition both(const Condition& a, const Condition& b) { return a && b; }
Condition either(const Condition& a, const Condition& b) { return a || b; }

// NotImplemented for arrays, which NumPy takes element by element.
py::object combined(const SharedCondition& a, const py::object& other,
                    Condition (*operation)(const Condition&, const Condition&)) {
  if (py::hasattr(other, "ndim") && py::cast<int>(other.attr("ndim")) > 0)
    return py::reinterpret_borrow<py::object>(Py_NotImplemented);
  const SharedCondition b = to_condition(other);
  return py::cast(
      SharedCondition{operation(a.condition, b.condition), a.model ? a.model : b.model});
}

void bind_condition(py::module_& module) {
  py::class_<SharedCondition>(
      module, "Condition",
      "True or false as the solution goes: x > 0. Combined by `&`, `|` and `~`.\n\n"
      "Condition(on) makes one of a discrete variable that is 1 or 0.")
      .def(py::init([](const py::object& value) {
             if (py::isinstance<SharedExpression>(value)) {
               const SharedExpression a = to_expression(value);
               return SharedCondition{Condition(a.expression), a.model};
             }
             return to_condition(value);
           }),
           py::arg("value"))
      .def("__and__",
           [](const SharedCondition& a, const py::object& b) { return combined(a, b, both); })
      .def("__rand__",
           [](const SharedCondition& a, const py::object& b) { return combined(a, b, both); })
      .def("__or__",
           [](const SharedCondition& a, const py::object& b) { return combined(a, b, either); })
      .def("__ror__",
           [](const SharedCondition& a, const py::object& b) { return combined(a, b, either); })
      .def("__invert__",
           [](const SharedCondition& a) {
             return SharedCondition{!a.condition, a.model};
           })
      .def(
          "__bool__",
          [](const SharedCondition& a) -> bool {
            fail(
                "'" + text_of(a) +
                "' is a condition of a model and neither true nor false before that is solved: "
                "combine conditions by & | ~ instead of `and`, `or`, `not`, and write 0 < x < 1 as "
                "(0 < x) & (x < 1)");
          })
      .def("__repr__", [](const SharedCondition& a) { return text_of(a); });
}

void bind_functions(py::module_& module) {
  module.def("number", [](const py::object& value) { return to_expression(value, "a number"); });
  const std::pair<const char*, Unary> unary[] = {
      {"sqr", sqr},     {"sqrt", sqrt},   {"exp", exp},   {"log", log},   {"log10", log10},
      {"sin", sin},     {"cos", cos},     {"tan", tan},   {"asin", asin}, {"acos", acos},
      {"atan", atan},   {"sinh", sinh},   {"cosh", cosh}, {"tanh", tanh}, {"asinh", asinh},
      {"acosh", acosh}, {"atanh", atanh}, {"erf", erf},   {"abs", abs},   {"sign", sign}};
  for (const auto& [name, function] : unary)
    module.def(name, [function = function](const py::object& a) {
      const SharedExpression argument = to_expression(a);
      return SharedExpression{function(argument.expression), argument.model};
    });
  const std::pair<const char*, Binary> binary[] = {
      {"pow", pow}, {"atan2", atan2}, {"min", min}, {"max", max}};
  for (const auto& [name, function] : binary)
    module.def(name, [function = function](const py::object& a, const py::object& b) {
      return apply(function, to_expression(a), to_expression(b));
    });
  module.def("der", [](const py::object& a, int order) {
    const SharedExpression argument = to_expression(a);
    return SharedExpression{der(argument.expression, order), argument.model};
  });
  module.def("if_else",
             [](const py::object& condition, const py::object& then, const py::object& otherwise) {
               const SharedCondition c = to_condition(condition);
               const SharedExpression a = to_expression(then), b = to_expression(otherwise);
               return SharedExpression{if_else(c.condition, a.expression, b.expression),
                                       c.model ? c.model : common_model(a, b)};
             });
}

}  // namespace

bool is_expression_like(py::handle object) {
  if (py::isinstance<SharedExpression>(object)) return true;
  if (PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr())) return true;
  if (!PyNumber_Check(object.ptr()) || PyComplex_Check(object.ptr())) return false;
  if (!py::hasattr(object, "__float__") && !py::hasattr(object, "__index__")) return false;
  return !py::hasattr(object, "ndim") || py::cast<int>(object.attr("ndim")) == 0;
}

SharedExpression to_expression(py::handle object, const char* role) {
  if (py::isinstance<SharedExpression>(object)) return py::cast<SharedExpression>(object);
  if (!is_expression_like(object))
    fail(std::string(role) + " or a number is needed here, not an object of type " +
         type_name(object));
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return {value, nullptr};
}

SharedCondition to_condition(py::handle object) {
  if (py::isinstance<SharedCondition>(object)) return py::cast<SharedCondition>(object);
  if (PyBool_Check(object.ptr()) || type_name(object).starts_with("bool"))  // NumPy's is bool_
    return {PyObject_IsTrue(object.ptr()) == 1, nullptr};
  if (py::isinstance<SharedExpression>(object))
    fail(
        "a condition is needed here, such as x > 0, not an expression; for a discrete variable "
        "that is 1 or 0 "
        "write daedal.Condition(" +
        py::cast<std::string>(py::repr(object)) + ")");
  fail("a condition is needed here, such as x > 0, not an object of type " + type_name(object));
}

void bind_expressions(py::module_& module) {
  bind_expression(module);
  bind_equality(module);
  bind_condition(module);
  bind_functions(module);
}

}  // namespace daedal::python
