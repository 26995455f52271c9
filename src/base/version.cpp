#include "daedal/version.hpp"

#define DAEDAL_TEXT_OF(x) #x
#define DAEDAL_TEXT(x) DAEDAL_TEXT_OF(x)

namespace daedal {

const char* version() {
  return DAEDAL_TEXT(DAEDAL_VERSION_MAJOR) "." DAEDAL_TEXT(DAEDAL_VERSION_MINOR) "." DAEDAL_TEXT(
      DAEDAL_VERSION_PATCH);
}

}  // namespace daedal
