#include "daedal/solution.hpp"

#include "solution/trajectory.hpp"

namespace daedal {

Solution::Solution() = default;
Solution::~Solution() = default;
Solution::Solution(Solution&&) noexcept = default;
Solution& Solution::operator=(Solution&&) noexcept = default;

}  // namespace daedal
