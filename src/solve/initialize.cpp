#include "daedal/initialize.hpp"

#include <stdexcept>

#include "solve/plan.hpp"

namespace daedal {

ConsistentPoint initialize(const Model&, const InitializeOptions&) {
  throw std::logic_error("under construction");
}

}  // namespace daedal
