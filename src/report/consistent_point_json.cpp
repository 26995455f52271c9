// The stable JSON keys of `daedal init --json` (docs/reference/json.md). Numbers that are not
// finite are written as null.
#include "report/consistent_point_json.hpp"

#include "report/named_json.hpp"

namespace daedal {
namespace {

using report::Json;

Json start_of(const ConsistentPoint& point) {
  Json list = Json::array();
  for (const StartValue& s : point.start)
    list.push_back({{"name", point.variables[s.variable]},
                    {"order", s.order},
                    {"value", s.value},
                    {"given", s.given},
                    {"moved", s.moved()},
                    {"fixed", s.fixed},
                    {"undetermined", s.undetermined},
                    {"follows", s.follows}});
  return list;
}

Json conflicts_of(const ConsistentPoint& point) {
  Json list = Json::array();
  for (const Conflict& c : point.conflicts)
    list.push_back({{"conditions", c.conditions}, {"free", c.free}});
  return list;
}

}  // namespace

namespace report {

Json json_of(const ConsistentPoint& point) {
  const bool is_index_known = point.status != Status::structural_analysis_fails && point.index >= 0;
  Json json;
  json["status"] = to_string(point.status);
  json["t"] = point.t;
  const report::Reported<double> reported{point.outputs, point.output_values, point.num_discretes};
  json["values"] = report::named(point.variables, point.values);
  reported.add_discretes_to(json["values"]);
  json["outputs"] = reported.outputs();
  json["start"] = start_of(point);
  json["residual"] = point.residual;
  json["distance"] = point.distance;
  json["index"] = is_index_known ? Json(point.index) : Json(nullptr);
  json["index_kind"] = point.index_kind;
  json["converted"] = point.converted;
  json["dof"] = is_index_known ? Json(point.dof) : Json(nullptr);
  json["condition"] = point.condition;
  json["conditions"] = point.conditions;
  json["conflicts"] = conflicts_of(point);
  if (!point.ok()) json["errors"] = report::errors_of(point.problems);
  return json;
}

}  // namespace report

std::string to_json(const ConsistentPoint& point) { return report::dump(report::json_of(point)); }

}  // namespace daedal
