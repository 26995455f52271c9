#include "run/steppers/singular_time.hpp"

namespace daedal::run {

std::optional<double> SingularTime::find(int block, int sign_at_begin,
                                         const solution::StepView& step,
                                         const solution::StepLayout& layout) {
  if (series_.has_constant_jacobian(block)) return std::nullopt;
  std::unique_ptr<taylor::BlockJacobian>& jacobian = jacobians_[block];
  if (!jacobian) jacobian = std::make_unique<taylor::BlockJacobian>(series_, block, lane_);
  const auto sign_at = [&](double t) {
    return jacobian->determinant_sign(
        t, [&](int unknown, int order) { return step.value(layout, unknown, t, order); });
  };
  double begin = step.begin, end = step.end;
  if (sign_at(end) == sign_at_begin) return std::nullopt;
  for (double middle = 0.5 * (begin + end); middle != begin && middle != end;
       middle = 0.5 * (begin + end))
    (sign_at(middle) == sign_at_begin ? begin : end) = middle;
  return end;
}

}  // namespace daedal::run
