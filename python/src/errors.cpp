// Problems and exceptions: daedal::Error becomes daedal.Error, with the same problems.
#include "base/near_miss.hpp"
#include "bindings.hpp"

namespace daedal::python {
namespace {

void raise_in_python(const Error& error) {
  const py::object type = py::module_::import("daedal._errors").attr("Error");
  const py::object exception = type(py::cast(error.problems()));
  PyErr_SetObject(type.ptr(), exception.ptr());
}

Problem problem_of(const std::string& id, const std::string& what, const std::string& where,
                   const std::string& why, const std::string& todo, const std::string& excerpt) {
  return {.id = id, .what = what, .where = where, .why = why, .todo = todo, .excerpt = excerpt};
}

py::tuple as_tuple(const Problem& p) {
  return py::make_tuple(p.id, p.what, p.where, p.why, p.todo, p.excerpt);
}

Problem from_tuple(const py::tuple& parts) {
  return problem_of(py::cast<std::string>(parts[0]), py::cast<std::string>(parts[1]),
                    py::cast<std::string>(parts[2]), py::cast<std::string>(parts[3]),
                    py::cast<std::string>(parts[4]), py::cast<std::string>(parts[5]));
}

}  // namespace

void bind_errors(py::module_& module) {
  Record<Problem> problem(module, "Problem",
                          "One finding: what happened, where, why, and what to do about it.\n\n"
                          "`daedal.explain(problem.id)` gives the page of its id.");
  problem.field("id", &Problem::id, "Stable, such as 'E-LNG-002'.")
      .field("what", &Problem::what, "What happened, in one line.")
      .field("where", &Problem::where, "File and line, and the equation or variable.")
      .field("why", &Problem::why, "The reason, in the user's names, with the numbers.")
      .field("todo", &Problem::todo, "What to do about it.")
      .field("excerpt", &Problem::excerpt, "The line of model text, with a caret below it.");
  problem.type()
      .def(py::init(&problem_of), py::arg("id"), py::arg("what"), py::arg("where") = "",
           py::arg("why") = "", py::arg("todo") = "", py::arg("excerpt") = "")
      .def("text", &Problem::text, "The problem as people read it: several lines.")
      .def("__str__", &Problem::text)
      .def("__eq__",
           [](const Problem& a, const py::object& b) {
             return py::isinstance<Problem>(b) &&
                    as_tuple(a).equal(as_tuple(py::cast<const Problem&>(b)));
           })
      .def("__hash__", [](const Problem& a) { return py::hash(as_tuple(a)); })
      .def(py::pickle(&as_tuple, &from_tuple));

  module.def("error_page", &error_page, py::arg("id"));
  module.def("error_ids", &error_ids);
  module.def("did_you_mean", [](const std::string& name, const std::vector<std::string>& known) {
    return base::did_you_mean(name, known);
  });

  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      raise_in_python(error);
    }
  });
}

}  // namespace daedal::python
