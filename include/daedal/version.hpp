// The version of the headers; daedal::version() is that of the library linked.
#pragma once

#define DAEDAL_VERSION_MAJOR 0
#define DAEDAL_VERSION_MINOR 1
#define DAEDAL_VERSION_PATCH 0

namespace daedal {

// "0.1.0"
const char* version();

}  // namespace daedal
