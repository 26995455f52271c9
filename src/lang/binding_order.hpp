// In which order declarations can be given their sizes and values.
#pragma once

#include <vector>

#include "lang/ast.hpp"
#include "lang/diagnostics.hpp"
#include "lang/scope.hpp"

namespace daedal::lang {

// Finds what every component's sizes and binding are computed from, fills Component::dependencies,
// and returns the components with every one after those it needs, otherwise in the order of the
// text. Components on a cycle are reported (E-LNG-011), marked bad and left out. Uses no recursion
// over components: chains may be long.
std::vector<ComponentId> order_bindings(const Ast& ast, Scope& scope, Diagnostics& diagnostics);

}  // namespace daedal::lang
