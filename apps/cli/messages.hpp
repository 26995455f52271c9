// What people are told: results on standard output, messages on standard error, both with colours
// where style.hpp wants them.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "daedal/error.hpp"
#include "report/errors_json.hpp"

namespace daedal::cli {

// A result as text, not JSON or CSV. Characters that act on a terminal are shown as in messages.
void print_result(const std::string& result, bool is_good);

// The JSON of a result, or an error's.
void print_json(const std::string& json);

// What the stream does not take is lost: a message that cannot be written is no reason to end in
// another way. Never throws.
void put(std::FILE* stream, std::string_view text);

// Wrong input, or findings; at least one.
void print_messages(const std::vector<Problem>& problems);

// Findings that come with a result, after what was printed so far; a blank line parts them from
// text above.
void print_findings(const std::vector<Problem>& problems, bool is_text_above);

// The JSON of a result, with problems that came up beside it among its errors.
std::string with_problems(report::Json json, const std::vector<Problem>& problems);

}  // namespace daedal::cli
