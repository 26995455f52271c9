// Consistent points.
#include "bindings.hpp"

namespace daedal::python {

void bind_start(py::module_& module) {
  Record<StartValue>(module, "StartValue",
                     "One value that the search for a start could choose, or that was given.")
      .field("variable", &StartValue::variable, "Number of the variable.")
      .field("order", &StartValue::order, "Of the derivative.")
      .field("value", &StartValue::value, "What was found.")
      .field("given", &StartValue::given, "The guess or fixed value; NaN if there was none.")
      .field("fixed", &StartValue::fixed, "Whether the value had to hold.")
      .field("undetermined", &StartValue::undetermined, "Whether nothing determines it.")
      .field("follows", &StartValue::follows, "Whether the other values determine it.")
      .property("moved", &StartValue::moved, "value - given.");
  Record<Conflict>(module, "Conflict", "Conditions at the start that cannot hold together.")
      .field("conditions", &Conflict::conditions, "With their places.")
      .field("free", &Conflict::free, "Which of them to free, and why that one.");
  py::class_<ConsistentPoint>(module, "ConsistentPoint")
      .def_property_readonly("status", [](const ConsistentPoint& p) { return to_string(p.status); })
      .def_readonly("problems", &ConsistentPoint::problems)
      .def_readonly("t", &ConsistentPoint::t)
      .def_readonly("variables", &ConsistentPoint::variables)
      .def_property_readonly("values",
                             [](const ConsistentPoint& p) {
                               py::list values;
                               for (const auto& each : p.values) values.append(to_array(each));
                               return values;
                             })
      .def_readonly("outputs", &ConsistentPoint::outputs)
      .def_readonly("num_discretes", &ConsistentPoint::num_discretes)
      .def_readonly("output_values", &ConsistentPoint::output_values)
      .def_readonly("start", &ConsistentPoint::start)
      .def_readonly("residual", &ConsistentPoint::residual)
      .def_readonly("distance", &ConsistentPoint::distance)
      .def_readonly("index", &ConsistentPoint::index)
      .def_readonly("index_kind", &ConsistentPoint::index_kind)
      .def_readonly("converted", &ConsistentPoint::converted)
      .def_readonly("dof", &ConsistentPoint::dof)
      .def_readonly("condition", &ConsistentPoint::condition)
      .def_readonly("conflicts", &ConsistentPoint::conflicts)
      .def_readonly("conditions", &ConsistentPoint::conditions)
      .def("text", [](const ConsistentPoint& p) { return to_text(p); })
      .def("to_json", [](const ConsistentPoint& p) { return to_json(p); });
  module.def(
      "initialize", [](const Model& model, std::optional<double> t, const std::string& method,
                       const std::string& start_weighting, const ParameterValues& parameters) {
        const SharedModel copy = copy_of(model, parameters);
        const py::gil_scoped_release unlocked;
        return initialize(*copy, {.t = t, .start_weighting = start_weighting, .method = method});
      });
}

}  // namespace daedal::python
