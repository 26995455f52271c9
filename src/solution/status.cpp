#include "daedal/status.hpp"

#include "daedal/solution.hpp"

namespace daedal {

std::string to_string(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::interrupted: return "interrupted";
    case Status::structural_analysis_fails: return "structural-analysis-fails";
    case Status::conflicting_conditions: return "conflicting-conditions";
    case Status::no_consistent_point: return "no-consistent-point";
    case Status::singular_point: return "singular-point";
    case Status::left_domain: return "left-domain";
    case Status::blow_up: return "blow-up";
    case Status::step_floor: return "step-floor";
    case Status::tolerance_below_rounding: return "tolerance-below-rounding";
    case Status::too_many_steps: return "too-many-steps";
    case Status::out_of_time: return "out-of-time";
    case Status::out_of_memory: return "out-of-memory";
    case Status::no_mode: return "no-mode";
    case Status::chattering: return "chattering";
    case Status::zeno: return "zeno";
  }
  return "";
}

std::string to_string(EventKind kind) {
  switch (kind) {
    case EventKind::mode: return "mode";
    case EventKind::when: return "when";
    case EventKind::observation: return "observation";
    case EventKind::touch: return "touch";
    case EventKind::end: return "end";
  }
  return "";
}

}  // namespace daedal
