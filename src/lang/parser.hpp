// Tokens -> tree. Recovers from errors at ';', section keywords and 'end', and reports every one it
// finds.
#pragma once

#include <string_view>

#include "lang/ast.hpp"
#include "lang/diagnostics.hpp"

namespace daedal::lang {

// Always returns a tree: of everything that could be read.
Ast parse(std::string_view text, Diagnostics& diagnostics);

}  // namespace daedal::lang
