// The stable JSON keys of `daedal analyze --json` (docs/reference/json.md).
#include "report/analysis_json.hpp"

namespace daedal {
namespace {

using report::errors_of;
using report::Json;

Json diagnosis_of(const std::vector<Problem>& problems) {
  Json list = Json::array();
  for (const Problem& p : problems)
    list.push_back(
        {{"id", p.id}, {"what", p.what}, {"who", p.where}, {"why", p.why}, {"do", p.todo}});
  return list;
}

Json names_at(const std::vector<std::string>& names, const std::vector<int>& indices) {
  Json list = Json::array();
  for (const int k : indices) list.push_back(names[k]);
  return list;
}

Json blocks_of(const Analysis& analysis) {
  Json list = Json::array();
  for (const AnalysisBlock& block : analysis.blocks)
    list.push_back({{"equations", names_at(analysis.equations, block.equations)},
                    {"variables", names_at(analysis.variables, block.variables)},
                    {"index", block.index},
                    {"linear", block.linear}});
  return list;
}

Json coarse_blocks_of(const Analysis& analysis) {
  Json list = Json::array();
  for (const CoarseBlock& block : analysis.coarse_blocks)
    list.push_back({{"equations", names_at(analysis.equations, block.equations)},
                    {"variables", names_at(analysis.variables, block.variables)}});
  return list;
}

Json outputs_of(const Analysis& analysis) {
  Json list = Json::array();
  for (std::size_t k = 0; k < analysis.outputs.size(); ++k)
    list.push_back({{"name", analysis.outputs[k]}, {"text", analysis.output_texts[k]}});
  return list;
}

Json signature_of(const Analysis& analysis) {
  Json list = Json::array();
  for (const Occurrence& o : analysis.signature)
    list.push_back(Json::array({o.equation, o.variable, o.order}));
  return list;
}

Json json_of(const ConversionStep& step) {
  Json vector = Json::array();
  for (std::size_t k = 0; k < step.members.size(); ++k)
    vector.push_back({{"of", step.members[k]}, {"factor", step.factors[k]}});
  return {{"kind", step.kind},
          {"equations", step.equations},
          {"variables", step.variables},
          {"null_vector", vector},
          {"replaced", step.replaced},
          {"new_equations", step.new_equations},
          {"new_variables", step.new_variables},
          {"holds_where", step.holds_where}};
}

Json conversion_json(const Conversion& conversion) {
  const bool succeeded = conversion.succeeded;
  Json steps = Json::array();
  for (const ConversionStep& step : conversion.steps) steps.push_back(json_of(step));
  return {{"succeeded", succeeded},
          {"reason", conversion.reason},
          {"fixed_parameters", conversion.fixed_parameters},
          {"steps", steps},
          {"variables", conversion.variables},
          {"equations", conversion.equations},
          {"equation_texts", conversion.equation_texts},
          {"c", conversion.c},
          {"d", conversion.d},
          {"structural_index", succeeded ? Json(conversion.structural_index) : Json(nullptr)},
          {"dof", succeeded ? Json(conversion.dof) : Json(nullptr)},
          {"initial_values", conversion.initial_values}};
}

}  // namespace

namespace report {

Json json_of(const Analysis& analysis) {
  const bool is_valid = analysis.status == AnalysisStatus::ok;
  Json json;
  json["model"] = analysis.model;
  json["status"] = to_string(analysis.status);
  json["size"] = analysis.size();
  json["variables"] = analysis.variables;
  json["equations"] = analysis.equations;
  json["equation_texts"] = analysis.equation_texts;
  json["outputs"] = outputs_of(analysis);
  json["conditions"] = analysis.conditions;
  json["signature"] = signature_of(analysis);
  json["transversal"] = analysis.transversal;
  json["c"] = analysis.c;
  json["d"] = analysis.d;
  json["structural_index"] = is_valid ? Json(analysis.structural_index) : Json(nullptr);
  json["dof"] = is_valid ? Json(analysis.dof) : Json(nullptr);
  json["quasilinear"] = analysis.c.empty() ? Json(nullptr) : Json(analysis.quasilinear);
  json["initial_values"] = analysis.initial_values;
  json["blocks"] = blocks_of(analysis);
  json["coarse_blocks"] = coarse_blocks_of(analysis);
  json["conversion"] = analysis.conversion ? conversion_json(*analysis.conversion) : Json(nullptr);
  json["numerical_index"] =
      analysis.numerical_index ? Json(*analysis.numerical_index) : Json(nullptr);
  json["graph"] = {{"nodes_recorded", analysis.nodes_recorded}, {"nodes", analysis.nodes}};
  json["diagnosis"] = diagnosis_of(analysis.diagnosis);
  if (analysis.status == AnalysisStatus::structurally_singular)
    json["errors"] = errors_of(analysis.diagnosis);
  return json;
}

}  // namespace report

std::string to_json(const Analysis& analysis) { return report::dump(report::json_of(analysis)); }

}  // namespace daedal
