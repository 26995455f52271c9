#include "daedal/port.hpp"

#include <fmt/format.h>

#include "base/wording.hpp"
#include "daedal/error.hpp"

namespace daedal::port {
namespace {

void check(const std::string& name, int size, const PortOptions& options, Location place) {
  const auto fits = [size](const auto& list) {
    return list.empty() || static_cast<int>(list.size()) == size;
  };
  if (size >= 1 && fits(options.variables) && fits(options.equations) && fits(options.unknowns))
    return;
  throw Error(
      Problem{.id = "E-MOD-012",
              .what = fmt::format("make_model(\"{}\") was called with sizes that do not fit", name),
              .where = fmt::format("{}:{}", place.file, place.line),
              .why = fmt::format("size is {}, with {} for variables, {} for equations and options "
                                 "of {}",
                                 size, base::plural(options.variables.size(), "name"),
                                 base::plural(options.equations.size(), "name"),
                                 base::plural(options.unknowns.size(), "unknown")),
              .todo = "give a size of at least 1, and as many names and options as that or none"});
}

// Makes the unknowns, lets `fcn` write its equations, and records them.
void record(Model& model, int size, Function fcn, void* param, const PortOptions& options,
            Location place) {
  std::vector<Expression> z, f(size);
  for (int j = 0; j < size; ++j)
    z.push_back(
        model.variable(options.variables.empty() ? fmt::format("z[{}]", j) : options.variables[j],
                       options.unknowns.empty() ? VariableOptions{} : options.unknowns[j], place));
  fcn(model.time(), z.data(), f.data(), param);
  for (int i = 0; i < size; ++i)
    model.equation(options.equations.empty() ? fmt::format("f[{}]", i) : options.equations[i],
                   f[i] == 0.0, place);
}

}  // namespace

Model make_model(const std::string& name, int size, Function fcn, void* param,
                 const PortOptions& options, Location place) {
  check(name, size, options, place);
  Model model(name);
  record(model, size, fcn, param, options, place);
  return model;
}

Model make_model(const std::string& name, int size, Function fcn, const PortParameters& parameters,
                 const PortOptions& options, Location place) {
  check(name, size, options, place);
  Model model(name);
  std::vector<Expression> values;
  for (const auto& [parameter, value] : parameters)
    values.push_back(model.parameter(parameter, value, {}, place));
  record(model, size, fcn, values.data(), options, place);
  return model;
}

}  // namespace daedal::port
