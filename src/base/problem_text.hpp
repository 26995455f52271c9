// Problems as text.
#pragma once

#include <string>

#include "daedal/error.hpp"

namespace daedal::base {

// The lines of Problem::text(), of the fields as they are.
std::string text_of(const Problem& problem);

// Names, files and values in a message are other people's: nothing in it acts on a terminal.
Problem printable(Problem problem);

}  // namespace daedal::base
