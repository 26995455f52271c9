// The stable JSON keys of `daedal run --json` (docs/reference/json.md). Numbers that are not finite
// are written as null.
#include "report/solution_json.hpp"

#include <algorithm>

#include "report/errors_json.hpp"
#include "report/named_json.hpp"

namespace daedal {
namespace {

using report::Json;

using Reported = report::Reported<double>;

Reported reported_of(const Solution& solution, const std::vector<double>& values) {
  return {solution.outputs(), values, solution.num_discretes()};
}

Json samples_of(const Solution& solution) {
  Json list = Json::array();
  const bool has_outputs =
      solution.outputs().size() > static_cast<std::size_t>(solution.num_discretes());
  for (const Sample& sample : solution.at()) {
    const Reported reported = reported_of(solution, sample.outputs);
    list.push_back(
        {{"t", sample.t}, {"values", report::named(solution.variables(), sample.values)}});
    reported.add_discretes_to(list.back()["values"]);
    if (has_outputs) list.back()["outputs"] = reported.outputs();
  }
  return list;
}

Json indicators_of(const Solution& solution) {
  Json list = Json::array();
  for (const Indicator& i : solution.indicators())
    list.push_back({{"t", i.t}, {"condition", i.condition}, {"smallest", i.smallest}});
  return list;
}

Json singularities_of(const Solution& solution) {
  Json list = Json::array();
  for (const Singularity& s : solution.singularities())
    list.push_back({{"t", s.t}, {"block", s.block}, {"why", s.why}});
  return list;
}

Json json_of(const Event& event) {
  Json jumps = Json::array();
  for (const Jump& jump : event.jumps)
    jumps.push_back({{"name", jump.name}, {"before", jump.before}, {"after", jump.after}});
  return {{"t", event.t},
          {"name", event.name},
          {"mode", event.mode},
          {"kind", to_string(event.kind)},
          {"jumps", jumps},
          {"kept", event.kept},
          {"undetermined", event.undetermined},
          {"tries", event.tries}};
}

Json json_of(const ModeMet& mode) {
  return {{"conditions", mode.conditions},
          {"entries", mode.entries},
          {"time", mode.time},
          {"c", mode.c},
          {"d", mode.d},
          {"structural_index", mode.structural_index},
          {"dof", mode.dof},
          {"quasilinear", mode.quasilinear}};
}

// A model without modes has one.
void add_events(Json& json, const Solution& solution) {
  json["events"] = Json::array();
  for (const Event& event : solution.events()) json["events"].push_back(json_of(event));
  json["modes"] = std::max(solution.num_modes(), 1);
  json["mode_table"] = Json::array();
  for (const ModeMet& mode : solution.modes()) json["mode_table"].push_back(json_of(mode));
  json["zeno"] = nullptr;
  if (solution.zeno())
    json["zeno"] = {{"t", solution.zeno()->t},
                    {"guards", solution.zeno()->guards},
                    {"settled", solution.zeno()->settled}};
}

Json verification_of(const Solution& solution) {
  if (!solution.verification()) return nullptr;
  const Verification& v = *solution.verification();
  return {{"status", to_string(v.status)},
          {"tolerance", v.tolerance},
          {"t", v.t},
          {"events", v.events},
          {"error", v.error},
          {"variable", v.variable},
          {"error_at", v.error_at}};
}

void add_statistics(Json& json, const Statistics& statistics) {
  json["constraint_residual"] = statistics.constraint_residual;
  json["max_condition"] = statistics.max_condition;
  json["rounding"] = statistics.rounding;
  json["smallest_step"] = statistics.smallest_step;
  json["largest_step"] = statistics.largest_step;
  json["factorisations"] = statistics.factorisations;
  json["newton_iterations"] = statistics.newton_iterations;
  json["evaluations"] = statistics.evaluations;
  json["jacobians"] = statistics.jacobians;
  json["switches"] = statistics.switches;
}

Json state_vectors_of(const Solution& solution) {
  Json vectors = Json::array();
  for (const StateVector& vector : solution.state_vectors())
    vectors.push_back(
        {{"items", vector.items}, {"entries", vector.entries}, {"time", vector.time}});
  return vectors;
}

}  // namespace

namespace report {

Json json_of(const Seconds& seconds) {
  return {{"analysis", seconds.analysis},
          {"compile", seconds.compile},
          {"initialise", seconds.initialize},
          {"integrate", seconds.integrate},
          {"total", seconds.total}};
}

Json json_of(const Solution& solution) {
  Json json;
  json["status"] = to_string(solution.status());
  json["method"] = solution.method();
  json["method_reason"] = solution.method_reason();
  json["kernel"] = solution.kernel();
  json["order"] = solution.order();
  json["tolerance"] = solution.tolerance();
  json["t"] = solution.t();
  json["steps"] = solution.statistics().steps;
  json["rejected"] = solution.statistics().rejected;
  json["warnings"] = report::errors_of(solution.warnings());
  const Reported reported = reported_of(solution, solution.final_outputs());
  json["final"] = report::named(solution.variables(), solution.final());
  reported.add_discretes_to(json["final"]);
  json["final_derivatives"] = report::named(solution.variables(), solution.final_derivatives());
  json["final_outputs"] = reported.outputs();
  json["at"] = samples_of(solution);
  add_events(json, solution);
  json["singularities"] = singularities_of(solution);
  json["indicators"] = indicators_of(solution);
  json["state_vectors"] = state_vectors_of(solution);
  add_statistics(json, solution.statistics());
  json["verification"] = verification_of(solution);
  json["converted"] = solution.converted();
  json["original_residual"] =
      solution.converted() ? Json(solution.statistics().original_residual) : Json(nullptr);
  json["seconds"] = json_of(solution.seconds());
  if (!solution.ok()) json["errors"] = report::errors_of(solution.problems());
  return json;
}

}  // namespace report

std::string to_json(const Solution& solution) { return report::dump(report::json_of(solution)); }

}  // namespace daedal
