// The polynomials of the accepted steps.
#pragma once

namespace daedal::solution {

class Trajectory {};

}  // namespace daedal::solution
