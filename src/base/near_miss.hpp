// "did you mean ...?": the known names nearest to a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daedal::base {

// Up to `limit` of `known`, nearest first, that are within about a third of the name's length in
// edits (insert, delete, replace, swap neighbours; case counts half). Ties keep the order of
// `known`.
std::vector<std::string> near_misses(std::string_view name, const std::vector<std::string>& known,
                                     std::size_t limit = 3);

// "did you mean 'lambda'?", "did you mean 'x' or 'y'?", or "" when nothing is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);
// That question for names that were found otherwise.
std::string did_you_mean(const std::vector<std::string>& names);

}  // namespace daedal::base
