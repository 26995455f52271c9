#include "daedal/port.hpp"

#include <fmt/format.h>

#include "base/wording.hpp"
#include "daedal/error.hpp"

namespace daedal::port {
namespace {

void check(const std::string& name, int size, const PortOptions& options, Location place) {
  const auto fits = [size](const std::vector<std::string>& names) {
    return names.empty() || static_cast<int>(names.size()) == size;
  };
  if (size >= 1 && fits(options.variables) && fits(options.equations)) return;
  throw Error(
      Problem{.id = "E-MOD-012",
              .what = fmt::format("make_model(\"{}\") was called with sizes that do not fit", name),
              .where = fmt::format("{}:{}", place.file, place.line),
              .why = fmt::format("size is {}, with {} for variables and {} for equations", size,
                                 base::plural(options.variables.size(), "name"),
                                 base::plural(options.equations.size(), "name")),
              .todo = "give a size of at least 1, and as many names as that or none"});
}

}  // namespace

Model make_model(const std::string& name, int size, Function fcn, void* param,
                 const PortOptions& options, Location place) {
  check(name, size, options, place);
  Model model(name);
  std::vector<Expression> z, f(size);
  for (int j = 0; j < size; ++j)
    z.push_back(model.variable(
        options.variables.empty() ? fmt::format("z[{}]", j) : options.variables[j], {}, place));
  fcn(model.time(), z.data(), f.data(), param);
  for (int i = 0; i < size; ++i)
    model.equation(options.equations.empty() ? fmt::format("f[{}]", i) : options.equations[i],
                   f[i] == 0.0, place);
  return model;
}

}  // namespace daedal::port
