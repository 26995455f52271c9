// What help says of the options of the table (daedal/option.hpp), filled into its texts.
#pragma once

#include <string>

namespace daedal::cli {

// Marks in a text become lines of options, one after the other:
//
//   {usage GROUP ...}    in the first paragraph: "[--from T0] [--to T1] ...", wrapped anew
//   {options GROUP}      lines of their own: "  --from T0   where to start; default: ..."
//   {as-for-run GROUP}   the same, shortened: "  --from T0   where to start, as for `daedal run`"
//
// with the groups that to_string(OptionGroup) names.
std::string with_options(std::string text);

}  // namespace daedal::cli
