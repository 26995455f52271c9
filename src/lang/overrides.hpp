// Parameter values given from outside: "g", "m[2]".
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "daedal/model.hpp"
#include "lang/ast.hpp"
#include "lang/diagnostics.hpp"
#include "lang/scope.hpp"

namespace daedal::lang {

class Overrides {
 public:
  // Reports names that are no parameter (E-MOD-007), numbers that are not finite (E-MOD-003) and
  // values or places that do not fit (E-LNG-016); marks overridden components.
  Overrides(const ParameterValues& values, const Ast& ast, Scope& scope, Diagnostics& diagnostics);

  // Writes the given values over component.values, once its size is known, and returns the flat
  // indices written.
  std::vector<std::size_t> apply(ComponentId id, Component& component);

 private:
  struct Entry {
    std::string name;
    std::vector<std::int64_t> subscripts;
    double value;
  };

  void add(const std::string& name, double value, Scope& scope);
  bool fits(const Entry& entry, const Component& component);
  void report(std::string_view id, Position position, std::string what, std::string why,
              std::string todo);

  const Ast& ast_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::uint32_t, std::vector<Entry>> entries_;  // by component
};

}  // namespace daedal::lang
