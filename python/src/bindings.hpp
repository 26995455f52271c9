// What the files of the Python module share: expressions and models with shared ownership, and
// small records.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daedal/daedal.hpp"
#include "model/model_data.hpp"

namespace daedal::python {

namespace py = pybind11;

using SharedModel = std::shared_ptr<Model>;

// An expression that keeps its model alive; a number has none.
struct SharedExpression {
  Expression expression = {};
  SharedModel model = nullptr;
};
struct SharedEquality {
  SharedExpression left, right;
};
struct SharedCondition {
  Condition condition = false;
  SharedModel model = nullptr;
};
struct SharedAction {
  Action action = {};
  SharedModel model = nullptr;
};

// A number of any type, or an expression. Arrays with dimensions are neither.
bool is_expression_like(py::handle object);
// Throws TypeError for anything else; `role` is what the object should be.
SharedExpression to_expression(py::handle object, const char* role = "an expression");
SharedCondition to_condition(py::handle object);

// The model as it is now, with other values for some parameters. Solvers work on copies, so that a
// model may change while another thread solves it.
SharedModel copy_of(const Model& model, const ParameterValues& parameters = {});

// "daedal.Event(t=1.5, name='bounce', ...)": a class of values to read, with the names of its
// fields.
template <typename T>
class Record {
 public:
  Record(py::module_& module, const char* name, const char* doc)
      : class_(module, name, doc), fields_() {
    class_.def("__repr__", &Record::repr);
    // Nobody can change one, so it is its own copy.
    class_.def("__copy__", [](const py::object& self) { return self; });
    class_.def("__deepcopy__", [](const py::object& self, const py::object&) { return self; });
  }
  ~Record() { class_.attr("_fields") = py::tuple(fields_); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  template <typename Member>
  Record& field(const char* name, Member member, const char* doc) {
    class_.def_readonly(name, member, doc);
    fields_.append(name);
    return *this;
  }
  // Computed, or turned into an array.
  template <typename Function>
  Record& property(const char* name, Function function, const char* doc) {
    class_.def_property_readonly(name, function, doc);
    fields_.append(name);
    return *this;
  }
  py::class_<T>& type() { return class_; }

 private:
  static std::string repr(const py::object& self) {
    std::string text = py::cast<std::string>(py::type::of(self).attr("__name__")) + "(";
    bool is_first = true;
    for (const py::handle field : py::type::of(self).attr("_fields")) {
      const auto name = py::cast<std::string>(field);
      text += (is_first ? "" : ", ") + name + "=";
      text += py::cast<std::string>(py::repr(self.attr(name.c_str())));
      is_first = false;
    }
    return text + ")";
  }

  py::class_<T> class_;
  py::list fields_;
};

template <typename T>
py::array_t<T> to_array(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}
py::array_t<double> to_matrix(const MatrixRows& rows);

void bind_errors(py::module_& module);
void bind_expressions(py::module_& module);
void bind_model(py::module_& module);
void bind_analysis(py::module_& module);
void bind_start(py::module_& module);
void bind_solution(py::module_& module);
void bind_solve(py::module_& module);
void bind_simulation(py::module_& module);
void bind_derivative_array(py::module_& module);

}  // namespace daedal::python
