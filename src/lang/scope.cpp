#include "lang/scope.hpp"

#include <fmt/format.h>

namespace daedal::lang {

bool Budget::charge(std::int64_t amount, Position position) {
  if (is_exhausted_) return false;
  if (amount <= max_work_ - spent_) {
    spent_ += amount;
    return true;
  }
  is_exhausted_ = !diagnostics_.is_silent();  // what is silent now will be asked again aloud
  diagnostics_.report(
      {"E-LNG-008", position, "the model unrolls into too many elements",
       fmt::format("this adds {} elements, terms or turns of a loop to {}; the limit is {}", amount,
                   spent_, max_work_),
       "make sizes and loop bounds smaller, or raise --max-elements"});
  return false;
}

bool Budget::allows_array(const Dimensions& dimensions, const std::string& what,
                          Position position) {
  const std::int64_t count = num_elements(dimensions);
  if (count >= 0 && count <= max_elements_) return charge(count, position);
  const std::string size = count < 0 ? std::string("more than 9e18") : fmt::format("{}", count);
  diagnostics_.report({"E-LNG-008", position, fmt::format("{} is too large", what),
                       fmt::format("{} has {} elements ({}); the limit is {}", what, size,
                                   description_of(dimensions), max_elements_),
                       "make its sizes smaller, or raise --max-elements"});
  return false;
}

}  // namespace daedal::lang
