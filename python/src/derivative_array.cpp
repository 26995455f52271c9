// Derivative arrays, and what they tell of a model.
#include "bindings.hpp"

namespace daedal::python {
namespace {

using Values = py::array_t<double, py::array::c_style | py::array::forcecast>;

DerivativeArrayOptions options_of(const py::object& differentiations, const std::string& entries,
                                  const std::string& columns, std::optional<double> t) {
  DerivativeArrayOptions options;
  if (py::isinstance<py::int_>(differentiations))
    options.differentiations = py::cast<int>(differentiations);
  else
    options.differentiations_by_equation = py::cast<std::vector<int>>(differentiations);
  if (entries != "derivatives" && entries != "coefficients")
    throw py::value_error("entries is 'derivatives' or 'coefficients', not '" + entries + "'");
  if (columns != "ascending" && columns != "derivatives_first")
    throw py::value_error("columns is 'ascending' or 'derivatives_first', not '" + columns + "'");
  if (entries == "coefficients") options.entries = ArrayEntries::coefficients;
  if (columns == "derivatives_first") options.columns = ArrayColumns::derivatives_first;
  options.t = t;
  return options;
}

// (values, columns, row_starts): the arrays of a compressed sparse row matrix.
py::tuple parts_of(const SparseMatrix& matrix) {
  return py::make_tuple(to_array(matrix.values), to_array(matrix.columns),
                        to_array(matrix.row_starts));
}

std::span<const double> span_of(const Values& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

void bind_array(py::module_& module) {
  py::class_<DerivativeArray>(module, "DerivativeArray")
      .def(py::init([](const Model& model, const py::object& differentiations,
                       const std::string& entries, const std::string& columns,
                       std::optional<double> t) {
        return std::make_unique<DerivativeArray>(model,
                                                 options_of(differentiations, entries, columns, t));
      }))
      .def_property_readonly("row_names", &DerivativeArray::row_names)
      .def_property_readonly("column_names", &DerivativeArray::column_names)
      .def("column", &DerivativeArray::column)
      .def("set_parameters", &DerivativeArray::set_parameters)
      .def("evaluate",
           [](DerivativeArray& array, double t, const Values& values) {
             array.evaluate(t, span_of(values));
             const std::span<const double> result = array.values();
             return py::array_t<double>(static_cast<py::ssize_t>(result.size()), result.data());
           })
      .def("linearise",
           [](DerivativeArray& array, double t, const Values& values) {
             array.linearise(t, span_of(values));
             const std::span<const double> result = array.values();
             return py::make_tuple(
                 py::array_t<double>(static_cast<py::ssize_t>(result.size()), result.data()),
                 parts_of(array.jacobian()));
           })
      .def("source", &DerivativeArray::source)
      .def("undefined_operations", &DerivativeArray::undefined_operations);
}

void bind_array_analysis(py::module_& module) {
  Record<ArrayAnalysis> type(module, "ArrayAnalysis",
                             "What the derivative array of a model tells at a consistent point "
                             "(`Model.analyze_array`).\n\nThe equations are written in order one "
                             "first: x'' = f has the variables x and der(x).");
  type.property(
          "status", [](const ArrayAnalysis& a) { return to_string(a.status); },
          "'ok', or why there is no point.")
      .field("problems", &ArrayAnalysis::problems, "Empty if ok.")
      .field("t", &ArrayAnalysis::t, "Time of the point.")
      .field("variables", &ArrayAnalysis::variables, "Of the system of order one.")
      .property(
          "values",
          [](const ArrayAnalysis& a) {
            py::dict values;
            for (std::size_t j = 0; j < a.values.size(); ++j)
              values[py::str(a.variables[j])] = to_array(a.values[j]);
            return values;
          },
          "By variable: x, x', ... as far as determined.")
      .field("index", &ArrayAnalysis::index, "Numerical index; -1 if none was found.")
      .field("dof", &ArrayAnalysis::dof, "Rank of Pi.")
      .property(
          "P", [](const ArrayAnalysis& a) { return to_matrix(a.P); }, "I - Q.")
      .property(
          "Q", [](const ArrayAnalysis& a) { return to_matrix(a.Q); },
          "Projects onto the kernel of df/dx'.")
      .property(
          "Pi", [](const ArrayAnalysis& a) { return to_matrix(a.Pi); },
          "Projects onto what may be prescribed.")
      .property(
          "Pi_u", [](const ArrayAnalysis& a) { return to_matrix(a.Pi_u); },
          "What is left of it if the user's conditions hold.")
      .field("rank_P", &ArrayAnalysis::rank_P, "Rank of P.")
      .field("rank_W1", &ArrayAnalysis::rank_W1, "Rank of W1.")
      .field("rank_W2", &ArrayAnalysis::rank_W2, "Rank of W2.")
      .field("rank_Pi_u", &ArrayAnalysis::rank_Pi_u, "Rank of Pi_u.")
      .field("rank", &ArrayAnalysis::rank, "Of B^[index]; 0 if not computed.")
      .field("condition", &ArrayAnalysis::condition, "Of B^[index].")
      .field("smallest", &ArrayAnalysis::smallest, "Its smallest singular value that is not 0.")
      .field("gap", &ArrayAnalysis::gap, "How clear ranks were: 0 very, 1 not at all.")
      .field("full_row_rank", &ArrayAnalysis::full_row_rank,
             "Whether equations and their derivatives are independent.")
      .field("determined", &ArrayAnalysis::determined, "Taylor coefficients determined.")
      .field("residual", &ArrayAnalysis::residual, "Largest |left - right|.")
      .field("distance", &ArrayAnalysis::distance, "|P(x - guess)|.")
      .field("inadmissible", &ArrayAnalysis::inadmissible,
             "Conditions that equations and the others determine.");
  type.type()
      .def_property_readonly("ok", &ArrayAnalysis::ok, "Whether a point was found.")
      .def(
          "text", [](const ArrayAnalysis& a) { return to_text(a); }, "As `daedal array` prints it.")
      .def(
          "to_json", [](const ArrayAnalysis& a) { return to_json(a); }, "One JSON object.")
      .def("__str__", [](const ArrayAnalysis& a) { return to_text(a); });
  module.def("analyze_array", [](const Model& model, std::optional<double> t, int derivatives) {
    const SharedModel copy = copy_of(model);
    const py::gil_scoped_release unlocked;
    return analyze_array(*copy, {.t = t, .derivatives = derivatives});
  });
}

void bind_evaluation(py::module_& module) {
  py::class_<ArrayEvaluation>(module, "ArrayEvaluation")
      .def_property_readonly("status", [](const ArrayEvaluation& a) { return to_string(a.status); })
      .def_readonly("problems", &ArrayEvaluation::problems)
      .def_readonly("t", &ArrayEvaluation::t)
      .def_readonly("rows", &ArrayEvaluation::rows)
      .def_readonly("columns", &ArrayEvaluation::columns)
      .def_property_readonly("point", [](const ArrayEvaluation& a) { return to_array(a.point); })
      .def_readonly("is_point_given", &ArrayEvaluation::is_point_given)
      .def_property_readonly("G", [](const ArrayEvaluation& a) { return to_array(a.G); })
      .def_property_readonly("J", [](const ArrayEvaluation& a) { return parts_of(a.J); })
      .def("text", [](const ArrayEvaluation& a) { return to_text(a); })
      .def("to_json", [](const ArrayEvaluation& a) { return to_json(a); });
  module.def("evaluate_array", [](const Model& model, const py::object& differentiations,
                                  const std::string& entries, const std::string& columns,
                                  std::optional<double> t,
                                  const std::optional<ArrayPointValues>& point) {
    const DerivativeArrayOptions options = options_of(differentiations, entries, columns, t);
    const SharedModel copy = copy_of(model);
    const py::gil_scoped_release unlocked;
    return point ? evaluate_array(*copy, options, *point) : evaluate_array(*copy, options);
  });
}

}  // namespace

py::array_t<double> to_matrix(const MatrixRows& rows) {
  const std::size_t num_columns = rows.empty() ? 0 : rows.front().size();
  py::array_t<double> matrix(
      {static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(num_columns)});
  double* entry = matrix.mutable_data();
  for (const auto& row : rows) entry = std::copy(row.begin(), row.end(), entry);
  return matrix;
}

void bind_derivative_array(py::module_& module) {
  bind_array(module);
  bind_array_analysis(module);
  bind_evaluation(module);
}

}  // namespace daedal::python
