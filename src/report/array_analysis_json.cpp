// The stable JSON keys of `daedal array --json` (docs/reference/json.md).
#include "daedal/array_analysis.hpp"
#include "report/errors_json.hpp"
#include "report/named_json.hpp"

namespace daedal {

using report::Json;

std::string to_json(const ArrayAnalysis& a) {
  const bool is_index_known = a.index >= 0;
  Json json;
  json["model"] = a.model;
  json["status"] = to_string(a.status);
  json["t"] = a.t;
  json["variables"] = a.variables;
  json["values"] = report::named(a.variables, a.values);
  json["index"] = is_index_known ? Json(a.index) : Json(nullptr);
  json["index_kind"] = "numerical";
  json["dof"] = is_index_known ? Json(a.dof) : Json(nullptr);
  json["determined"] = a.determined;
  json["condition"] = a.condition;
  json["smallest_singular_value"] = a.smallest;
  json["rank"] = a.rank;
  json["gap"] = a.gap;
  json["full_row_rank"] = a.full_row_rank;
  json["ranks"] = {
      {"P", a.rank_P}, {"W1", a.rank_W1}, {"W2", a.rank_W2}, {"Pi", a.dof}, {"Pi_u", a.rank_Pi_u}};
  json["projectors"] = {{"P", a.P}, {"Q", a.Q}, {"Pi", a.Pi}, {"Pi_u", a.Pi_u}};
  json["residual"] = a.residual;
  json["distance"] = a.distance;
  json["inadmissible"] = a.inadmissible;
  if (!a.ok()) json["errors"] = report::errors_of(a.problems);
  return report::dump(json);
}

std::string to_json(const ArrayEvaluation& e) {
  Json entries = Json::array();
  for (std::size_t row = 0; row < e.G.size(); ++row)
    for (int k = e.J.row_starts[row]; k < e.J.row_starts[row + 1]; ++k)
      entries.push_back({row, e.J.columns[k], e.J.values[k]});
  Json json;
  json["model"] = e.model;
  json["status"] = to_string(e.status);
  json["t"] = e.t;
  json["rows"] = e.rows;
  json["columns"] = e.columns;
  json["point"] = e.point;
  json["G"] = e.G;
  json["J"] = std::move(entries);
  if (!e.ok()) json["errors"] = report::errors_of(e.problems);
  return report::dump(json);
}

}  // namespace daedal
