// The page of HTML reports, compiled in: src/report/page/ bundled into one file.
#pragma once

#include <string_view>

namespace daedal::report {

// What stands in the page in place of the JSON, exactly once. In the JSON, every '<' must be
// written as \u003c.
inline constexpr std::string_view report_data_placeholder = "@REPORT_DATA@";

// "" if the build had no npm, or no network for it.
std::string_view embedded_report_page();

}  // namespace daedal::report
