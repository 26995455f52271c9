// Solutions: values at many times at once, and what a run tells of itself.
#include "solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace daedal::python {
namespace {

using Times = py::array_t<double, py::array::c_style | py::array::forcecast>;
// A variable (or an output, which has values only) and which of its derivatives.
using Item = std::pair<std::string, int>;

// A run that kept its steps but made none, as one from 0 to 0: it is known where it stands.
bool is_instant(const Solution& solution) { return solution.step_times().size() == 1; }

void check_instant(const Solution& solution, double t) {
  if (t == solution.t()) return;
  throw Error(
      Problem{.id = "E-SOL-001",
              .what = fmt::format("t = {} is outside the solution", t),
              .where = fmt::format("solution at t = {}", t),
              .why = fmt::format("no step was made: it is known at t = {} only", solution.t()),
              .todo = "ask for this time, or solve over a longer interval"});
}

double value_at_instant(const Solution& solution, const Item& item, double t) {
  const auto& [name, order] = item;
  const auto place_in = [&](const std::vector<std::string>& names) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const std::size_t variable = place_in(solution.variables()),
                    output = place_in(solution.outputs());
  const bool is_variable = variable < solution.variables().size();
  const bool is_value = order == 0 && output < solution.outputs().size();
  if (!is_variable && !is_value) return solution(name, t, order);  // says what is wrong with it
  check_instant(solution, t);
  if (!is_variable) return solution.final_outputs()[output];
  if (order == 0) return solution.final()[variable];
  const std::vector<double>& derivatives = solution.final_derivatives()[variable];
  if (order >= 1 && static_cast<std::size_t>(order) <= derivatives.size())
    return derivatives[static_cast<std::size_t>(order) - 1];
  throw Error(
      Problem{.id = "E-SOL-004",
              .what = fmt::format("derivative {} of '{}' cannot be told", order, name),
              .where = fmt::format("solution at t = {}", t),
              .why = fmt::format("no step was made, and the start tells derivatives up to {}",
                                 derivatives.size()),
              .todo = "ask for a lower derivative, or solve over a longer interval"});
}

// values[i][k]: item i at time k.
void evaluate(const Solution& solution, const std::vector<Item>& items, const double* times,
              std::size_t num_times, double* values) {
  for (const Item& item : items) {
    if (is_instant(solution)) {
      for (std::size_t k = 0; k < num_times; ++k)
        *values++ = value_at_instant(solution, item, times[k]);
      continue;
    }
    const auto& [name, order] = item;
    const auto found = std::find(solution.variables().begin(), solution.variables().end(), name);
    const int variable = static_cast<int>(found - solution.variables().begin());
    const bool is_variable = found != solution.variables().end();
    for (std::size_t k = 0; k < num_times; ++k)
      *values++ =
          is_variable ? solution(variable, times[k], order) : solution(name, times[k], order);
  }
}

py::array_t<double> values_at(const SharedSolution& shared, const std::vector<Item>& items,
                              const Times& times) {
  py::array_t<double> values({static_cast<py::ssize_t>(items.size()), times.size()});
  const double* first = times.data();
  const auto size = static_cast<std::size_t>(times.size());
  double* result = values.mutable_data();
  const py::gil_scoped_release unlocked;
  evaluate(*shared.solution, items, first, size, result);
  return values;
}

std::vector<double> values_of_all(const Solution& solution, double t) {
  if (!is_instant(solution)) return solution(t);
  check_instant(solution, t);
  return solution.final();
}

// Of every variable: values[j][k]. One search for the step of each time.
py::array_t<double> all_values_at(const SharedSolution& shared, const Times& times) {
  const auto num_times = static_cast<std::size_t>(times.size());
  const std::size_t num_variables = shared.solution->variables().size();
  py::array_t<double> values(
      {static_cast<py::ssize_t>(num_variables), static_cast<py::ssize_t>(num_times)});
  const double* first = times.data();
  double* result = values.mutable_data();
  const py::gil_scoped_release unlocked;
  for (std::size_t k = 0; k < num_times; ++k) {
    const std::vector<double> at_time = values_of_all(*shared.solution, first[k]);
    for (std::size_t j = 0; j < num_variables; ++j) result[j * num_times + k] = at_time[j];
  }
  return values;
}

bool contains(const Solution& solution, double t) {
  if (solution.step_times().empty()) return false;
  const auto [low, high] = std::minmax(solution.step_times().front(), solution.step_times().back());
  return low <= t && t <= high;
}

// One item of every member: values[member][time]; NaN where a member was not there.
py::array_t<double> ensemble_values_at(const std::vector<SharedSolution>& members, const Item& item,
                                       const Times& times) {
  const auto num_times = static_cast<std::size_t>(times.size());
  py::array_t<double> values({static_cast<py::ssize_t>(members.size()), times.size()});
  const double* first = times.data();
  double* result = values.mutable_data();
  const py::gil_scoped_release unlocked;
  for (const SharedSolution& member : members)
    for (std::size_t k = 0; k < num_times; ++k) {
      *result = std::numeric_limits<double>::quiet_NaN();
      if (contains(*member.solution, first[k]))
        evaluate(*member.solution, {item}, first + k, 1, result);
      ++result;
    }
  return values;
}

py::list to_arrays(const std::vector<std::vector<double>>& rows) {
  py::list arrays;
  for (const auto& row : rows) arrays.append(to_array(row));
  return arrays;
}

// (times, values[variable][time], values[output][time]) of the samples asked for.
py::tuple samples(const SharedSolution& shared) {
  const Solution& s = *shared.solution;
  const auto num_samples = static_cast<py::ssize_t>(s.at().size());
  py::array_t<double> times(num_samples);
  py::array_t<double> values({static_cast<py::ssize_t>(s.variables().size()), num_samples});
  py::array_t<double> outputs({static_cast<py::ssize_t>(s.outputs().size()), num_samples});
  for (py::ssize_t k = 0; k < num_samples; ++k) {
    const Sample& sample = s.at()[static_cast<std::size_t>(k)];
    times.mutable_at(k) = sample.t;
    for (std::size_t j = 0; j < sample.values.size(); ++j)
      values.mutable_at(static_cast<py::ssize_t>(j), k) = sample.values[j];
    for (std::size_t j = 0; j < sample.outputs.size(); ++j)
      outputs.mutable_at(static_cast<py::ssize_t>(j), k) = sample.outputs[j];
  }
  return py::make_tuple(times, values, outputs);
}

// One array per field of StepNote.
py::tuple step_notes(const SharedSolution& shared) {
  const std::vector<StepNote>& notes = shared.solution->step_notes();
  const auto column = [&]<typename T>(T StepNote::*field) {
    std::vector<T> values;
    for (const StepNote& note : notes) values.push_back(note.*field);
    return to_array(values);
  };
  return py::make_tuple(column(&StepNote::end), column(&StepNote::length), column(&StepNote::order),
                        column(&StepNote::rejected), column(&StepNote::condition),
                        column(&StepNote::residual));
}

void bind_records(py::module_& module) {
  Record<Statistics>(module, "Statistics", "What a run cost, and how well it went.")
      .field("steps", &Statistics::steps, "Accepted.")
      .field("rejected", &Statistics::rejected, "Tried and given up for a shorter one.")
      .field("factorisations", &Statistics::factorisations, "Of blocks of two equations or more.")
      .field("newton_iterations", &Statistics::newton_iterations,
             "Of blocks nonlinear in their highest derivatives.")
      .field("smallest_step", &Statistics::smallest_step, "Accepted.")
      .field("largest_step", &Statistics::largest_step, "Accepted.")
      .field("constraint_residual", &Statistics::constraint_residual,
             "Largest residual of constraints and hidden constraints, relative to their terms.")
      .field("rounding", &Statistics::rounding,
             "How many tolerances rounding alone made steps differ from their predictions.")
      .field("max_condition", &Statistics::max_condition, "Largest estimate met.")
      .field("original_residual", &Statistics::original_residual,
             "Of a converted model: residual of the equations as written.")
      .field("evaluations", &Statistics::evaluations, "Of all residuals (dd-erk, dd-ida, bdf).")
      .field("jacobians", &Statistics::jacobians, "Of their partial derivatives.")
      .field("switches", &Statistics::switches, "From one state vector to another.");
  Record<Seconds>(module, "Seconds", "Where the time went.")
      .field("analysis", &Seconds::analysis, "Structural analysis.")
      .field("compile", &Seconds::compile, "Making machine code.")
      .field("initialize", &Seconds::initialize, "Finding a consistent start.")
      .field("integrate", &Seconds::integrate, "Stepping.")
      .field("total", &Seconds::total, "All of it.");
  Record<Singularity>(module, "Singularity", "A point at which the system Jacobian was singular.")
      .field("t", &Singularity::t, "Time.")
      .field("block", &Singularity::block, "The unknowns of the block.")
      .field("why", &Singularity::why, "What was seen.");
  Record<Indicator>(module, "Indicator", "What the derivative array is like at some time.")
      .field("t", &Indicator::t, "Time.")
      .field("condition", &Indicator::condition, "A pole of it means a singularity.")
      .field("smallest", &Indicator::smallest, "Smallest over largest singular value.");
  Record<Jump>(module, "Jump", "A value that is another one behind an event.")
      .field("name", &Jump::name, "'x', 'der(x)'.")
      .field("before", &Jump::before, "Left limit.")
      .field("after", &Jump::after, "Right limit.");
  Record<Event>(module, "Event", "Something that happened at an instant.")
      .field("t", &Event::t, "When.")
      .field("name", &Event::name, "Of the when clause, or the condition that holds from here on.")
      .property(
          "kind", [](const Event& event) { return to_string(event.kind); },
          "'mode', 'when', 'observation', 'touch' or 'end'.")
      .field("mode", &Event::mode, "In force from here on, counted from 1.")
      .field("jumps", &Event::jumps, "Values that jumped.")
      .field("kept", &Event::kept, "How many values of the start of the new mode were kept.")
      .field("undetermined", &Event::undetermined, "Those that nothing determined.")
      .field("tries", &Event::tries, "Modes tried until one agreed with its own solution.");
  Record<ModeMet>(module, "Mode", "A set of equations that held for some time.")
      .field("conditions", &ModeMet::conditions, "That hold in it.")
      .field("entries", &ModeMet::entries, "How often it was entered.")
      .field("time", &ModeMet::time, "Spent in it.")
      .property(
          "c", [](const ModeMet& mode) { return to_array(mode.c); }, "Offsets of equations.")
      .property(
          "d", [](const ModeMet& mode) { return to_array(mode.d); }, "Offsets of variables.")
      .field("structural_index", &ModeMet::structural_index, "Of its equations.")
      .field("dof", &ModeMet::dof, "Degrees of freedom.")
      .field("quasilinear", &ModeMet::quasilinear, "Whether every block is.");
  Record<Zeno>(module, "Zeno", "Events that accumulate at a finite time.")
      .field("t", &Zeno::t, "Estimated.")
      .field("guards", &Zeno::guards, "Clauses or conditions whose events accumulate.")
      .field("settled", &Zeno::settled, "Whether the run went on at rest.");
  Record<StateVector>(module, "StateVector", "Variables of the ODE that dd-erk and dd-ida made.")
      .field("items", &StateVector::items, "'x', 'der(x)'.")
      .field("entries", &StateVector::entries, "How often it was chosen.")
      .field("time", &StateVector::time, "For which it was used.");
  Record<Verification>(module, "Verification",
                       "What a second, more accurate run says of the first.")
      .property(
          "status", [](const Verification& v) { return to_string(v.status); }, "Of the second run.")
      .field("tolerance", &Verification::tolerance, "Of the second run.")
      .field("t", &Verification::t, "That it reached.")
      .field("events", &Verification::events, "How many it met.")
      .field("error", &Verification::error, "Largest |difference|/(nominal + |x|).")
      .field("variable", &Verification::variable, "Of which.")
      .field("error_at", &Verification::error_at, "When.");
}

template <auto Member>
auto reading() {
  return [](const SharedSolution& shared) { return ((*shared.solution).*Member)(); };
}

}  // namespace

void bind_solution(py::module_& module) {
  bind_records(module);
  py::class_<SharedSolution>(module, "Solution")
      .def_property_readonly(
          "model", [](const SharedSolution& s) { return copy_of(*s.model, s.parameters); })
      .def_property_readonly("model_name", [](const SharedSolution& s) { return s.model->name(); })
      .def_property_readonly(
          "status", [](const SharedSolution& s) { return to_string(s.solution->status()); })
      .def_property_readonly("problems", reading<&Solution::problems>())
      .def_property_readonly("warnings", reading<&Solution::warnings>())
      .def_property_readonly("verification", reading<&Solution::verification>())
      .def_property_readonly("variables", reading<&Solution::variables>())
      .def_property_readonly("outputs", reading<&Solution::outputs>())
      .def_property_readonly("num_discretes", reading<&Solution::num_discretes>())
      .def_property_readonly("method", reading<&Solution::method>())
      .def_property_readonly("method_reason", reading<&Solution::method_reason>())
      .def_property_readonly("converted", reading<&Solution::converted>())
      .def_property_readonly("kernel", reading<&Solution::kernel>())
      .def_property_readonly("order", reading<&Solution::order>())
      .def_property_readonly("tolerance", reading<&Solution::tolerance>())
      .def_property_readonly("t_reached", reading<&Solution::t>())
      .def_property_readonly("start", reading<&Solution::start>())
      .def_property_readonly("final",
                             [](const SharedSolution& s) { return to_array(s.solution->final()); })
      .def_property_readonly(
          "final_outputs",
          [](const SharedSolution& s) { return to_array(s.solution->final_outputs()); })
      .def_property_readonly(
          "final_derivatives",
          [](const SharedSolution& s) { return to_arrays(s.solution->final_derivatives()); })
      .def_property_readonly(
          "step_times", [](const SharedSolution& s) { return to_array(s.solution->step_times()); })
      .def_property_readonly("step_notes", &step_notes)
      .def_property_readonly("singularities", reading<&Solution::singularities>())
      .def_property_readonly("indicators", reading<&Solution::indicators>())
      .def_property_readonly("events", reading<&Solution::events>())
      .def_property_readonly("modes", reading<&Solution::modes>())
      .def_property_readonly("zeno", reading<&Solution::zeno>())
      .def_property_readonly("state_vectors", reading<&Solution::state_vectors>())
      .def_property_readonly("statistics", reading<&Solution::statistics>())
      .def_property_readonly("seconds", reading<&Solution::seconds>())
      .def("samples", &samples)
      .def("values_at", &values_at)
      .def("all_values_at", &all_values_at)
      .def("text", [](const SharedSolution& s) { return to_text(*s.solution); })
      .def("to_json", [](const SharedSolution& s) { return to_json(*s.solution); })
      .def("text_plot",
           [](const SharedSolution& s, const std::vector<std::string>& names, int width,
              bool unicode) {
             return text_plot(*s.solution, {.names = names, .width = width, .unicode = unicode});
           })
      .def("to_html", [](const SharedSolution& s, const std::string& command, int max_points) {
        const SharedModel model = copy_of(*s.model, s.parameters);
        const py::gil_scoped_release unlocked;
        return html_report(*model, *s.solution, {.command = command, .max_points = max_points});
      });
  module.def("ensemble_values_at", &ensemble_values_at);
}

}  // namespace daedal::python
