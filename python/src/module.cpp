// The compiled part of the Python package: daedal's public functions, almost as they are. What
// makes them read like NumPy and SciPy is in python/daedal/*.py.
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace daedal::python;
  module.doc() = "The compiled part of daedal; use the package daedal itself.";
  module.attr("__version__") = daedal::version();
  bind_errors(module);
  bind_expressions(module);
  bind_model(module);
  bind_analysis(module);
  bind_start(module);
  bind_solution(module);
  bind_solve(module);
  bind_simulation(module);
  bind_derivative_array(module);
}
