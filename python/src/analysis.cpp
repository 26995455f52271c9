// Structural analysis, and that of the derivative array.
#include "bindings.hpp"

namespace daedal::python {
namespace {

// A result with the model that it is of, which reports need.
struct SharedAnalysis {
  Analysis analysis;
  SharedModel model;
};

void bind_parts(py::module_& module) {
  Record<ConversionStep>(module, "ConversionStep",
                         "One rewriting of a block whose Jacobian is singular.")
      .field("kind", &ConversionStep::kind, "'linear combination' or 'expression substitution'.")
      .field("equations", &ConversionStep::equations, "Of the block.")
      .field("variables", &ConversionStep::variables, "Of the block.")
      .field("members", &ConversionStep::members,
             "What the factors belong to: equations, or derivatives of variables.")
      .field("factors", &ConversionStep::factors, "The null vector of the block's Jacobian.")
      .field("replaced", &ConversionStep::replaced, "Equations that are written anew.")
      .field("new_equations", &ConversionStep::new_equations, "What stands in their place.")
      .field("new_variables", &ConversionStep::new_variables, "Names of variables added.")
      .field("holds_where", &ConversionStep::holds_where,
             "Where the rewriting is equivalent; empty if everywhere.");
  Record<Conversion>(module, "Conversion",
                     "The equivalent model that is solved where structural analysis fails.")
      .field("succeeded", &Conversion::succeeded, "Whether one was found.")
      .field("reason", &Conversion::reason, "Why not.")
      .field("fixed_parameters", &Conversion::fixed_parameters, "Numbers in the new model.")
      .field("steps", &Conversion::steps, "What was done, in order.")
      .field("variables", &Conversion::variables, "Of the new model.")
      .field("equations", &Conversion::equations, "Their names.")
      .field("equation_texts", &Conversion::equation_texts, "As text.")
      .property(
          "c", [](const Conversion& a) { return to_array(a.c); }, "Offsets of equations.")
      .property(
          "d", [](const Conversion& a) { return to_array(a.d); }, "Offsets of variables.")
      .field("structural_index", &Conversion::structural_index, "Of the new model.")
      .field("dof", &Conversion::dof, "Degrees of freedom.")
      .field("initial_values", &Conversion::initial_values, "What to give at the start.");
}

py::tuple triplets(const Analysis& analysis) {
  const auto size = static_cast<py::ssize_t>(analysis.signature.size());
  py::array_t<int> rows(size), columns(size), orders(size);
  auto row = rows.mutable_unchecked<1>(), column = columns.mutable_unchecked<1>(),
       order = orders.mutable_unchecked<1>();
  for (py::ssize_t k = 0; k < size; ++k) {
    const Occurrence& occurrence = analysis.signature[static_cast<std::size_t>(k)];
    row(k) = occurrence.equation;
    column(k) = occurrence.variable;
    order(k) = occurrence.order;
  }
  return py::make_tuple(rows, columns, orders);
}

// A member of the analysis as a property of the shared one.
template <auto Member>
auto reading() {
  return [](const SharedAnalysis& shared) { return shared.analysis.*Member; };
}

void bind_structural(py::module_& module) {
  py::class_<SharedAnalysis>(module, "Analysis")
      .def_property_readonly("model", [](const SharedAnalysis& a) { return a.model; })
      .def_property_readonly("model_name", reading<&Analysis::model>())
      .def_property_readonly("status",
                             [](const SharedAnalysis& a) { return to_string(a.analysis.status); })
      .def_property_readonly("variables", reading<&Analysis::variables>())
      .def_property_readonly("equations", reading<&Analysis::equations>())
      .def_property_readonly("equation_texts", reading<&Analysis::equation_texts>())
      .def_property_readonly("outputs", reading<&Analysis::outputs>())
      .def_property_readonly("output_texts", reading<&Analysis::output_texts>())
      .def_property_readonly("conditions", reading<&Analysis::conditions>())
      .def_property_readonly("signature",
                             [](const SharedAnalysis& a) { return triplets(a.analysis); })
      .def_property_readonly(
          "transversal", [](const SharedAnalysis& a) { return to_array(a.analysis.transversal); })
      .def_property_readonly("c", [](const SharedAnalysis& a) { return to_array(a.analysis.c); })
      .def_property_readonly("d", [](const SharedAnalysis& a) { return to_array(a.analysis.d); })
      .def_property_readonly(
          "blocks",
          [](const SharedAnalysis& a) {
            py::list blocks;
            for (const AnalysisBlock& block : a.analysis.blocks)
              blocks.append(py::make_tuple(to_array(block.equations), to_array(block.variables),
                                           block.index, block.linear));
            return blocks;
          })
      .def_property_readonly(
          "coarse_blocks",
          [](const SharedAnalysis& a) {
            py::list blocks;
            for (const CoarseBlock& block : a.analysis.coarse_blocks)
              blocks.append(py::make_tuple(to_array(block.equations), to_array(block.variables)));
            return blocks;
          })
      .def_property_readonly("initial_values", reading<&Analysis::initial_values>())
      .def_property_readonly("quasilinear", reading<&Analysis::quasilinear>())
      .def_property_readonly("structural_index", reading<&Analysis::structural_index>())
      .def_property_readonly("dof", reading<&Analysis::dof>())
      .def_property_readonly("conversion", reading<&Analysis::conversion>())
      .def_property_readonly("numerical_index", reading<&Analysis::numerical_index>())
      .def_property_readonly("nodes_recorded", reading<&Analysis::nodes_recorded>())
      .def_property_readonly("nodes", reading<&Analysis::nodes>())
      .def_property_readonly("diagnosis", reading<&Analysis::diagnosis>())
      .def("text", [](const SharedAnalysis& a,
                      bool with_equations) { return to_text(a.analysis, with_equations); })
      .def("to_json", [](const SharedAnalysis& a) { return to_json(a.analysis); })
      .def("to_html", [](const SharedAnalysis& a, const std::string& command) {
        return html_report(*a.model, a.analysis, {.command = command});
      });
  module.def("analyze", [](const Model& model, const ParameterValues& parameters) {
    SharedAnalysis result{{}, copy_of(model, parameters)};
    const py::gil_scoped_release unlocked;
    result.analysis = analyze(*result.model);
    return result;
  });
}

}  // namespace

void bind_analysis(py::module_& module) {
  bind_parts(module);
  bind_structural(module);
}

}  // namespace daedal::python
