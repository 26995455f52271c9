// The pages of docs/errors/, compiled in.
#pragma once

#include <map>
#include <string>

namespace daedal::report {

const std::map<std::string, std::string>& embedded_error_pages();

}  // namespace daedal::report
