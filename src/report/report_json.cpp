#include "report/report_json.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "daedal/version.hpp"
#include "expr/evaluate.hpp"
#include "expr/print.hpp"
#include "model/model_data.hpp"
#include "report/analysis_json.hpp"
#include "report/consistent_point_json.hpp"
#include "report/curves_json.hpp"
#include "report/index_story.hpp"
#include "report/method_references.hpp"
#include "report/solution_json.hpp"

namespace daedal::report {
namespace {

using model::ModelData;

constexpr std::size_t most_equations = 2000;  // that are shown as text
constexpr std::size_t most_differentiations = 200;
constexpr std::size_t most_events = 2000;

// Values of expressions of parameters; null where a value is missing.
class Values {
 public:
  explicit Values(const ModelData& model) : evaluator_(*model.graph) {
    try {
      parameters_ = model::parameter_values(model);
    } catch (const Error&) {  // a parameter without value: told where it matters
      parameters_.assign(model.parameters.size(), std::numeric_limits<double>::quiet_NaN());
    }
  }
  double parameter(std::size_t k) const { return parameters_[k]; }
  double of(expr::NodeId node) {
    return evaluator_.value(node, {.time = 0.0, .parameters = parameters_, .unknown = {}});
  }

 private:
  expr::Evaluator evaluator_;
  std::vector<double> parameters_;
};

Json parameters_of(const ModelData& model, const Values& values) {
  Json list = Json::array();
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const model::Parameter& parameter = model.parameters[k];
    list.push_back({{"name", parameter.name},
                    {"value", values.parameter(k)},
                    {"unit", parameter.unit},
                    {"description", parameter.description}});
    if (parameter.is_discrete) list.back()["discrete"] = true;
  }
  return list;
}

Json variables_of(const ModelData& model, Values& values) {
  Json list = Json::array();
  for (const model::Variable& variable : model.variables) {
    if (variable.is_auxiliary) continue;
    Json start = Json::array(), fixed = Json::array();
    for (const model::Start& entry : variable.start) {
      start.push_back(entry.value ? Json(values.of(*entry.value)) : Json(nullptr));
      fixed.push_back(entry.fixed);
    }
    list.push_back({{"name", variable.name},
                    {"unit", variable.unit},
                    {"description", variable.description},
                    {"nominal", variable.nominal ? values.of(*variable.nominal) : 1.0},
                    {"start", start},
                    {"fixed", fixed}});
  }
  return list;
}

std::string text_of(const ModelData& model, const model::Equation& equation) {
  return fmt::format("{} = {}", expr::to_text(*model.graph, equation.left),
                     expr::to_text(*model.graph, equation.right));
}

Json equations_of(const ModelData& model, const Analysis& analysis) {
  Json list = Json::array();
  const bool has_modes = !analysis.conditions.empty();
  for (std::size_t i = 0; i < std::min(analysis.equations.size(), most_equations); ++i) {
    const model::Equation& equation = model.equations[i];
    list.push_back({{"name", analysis.equations[i]},
                    {"text", analysis.equation_texts[i]},
                    {"where", equation.place.text()}});
    if (!has_modes || equation.is_derived) continue;
    const std::string written = text_of(model, equation);  // with all branches
    if (written != analysis.equation_texts[i]) list.back()["written"] = written;
  }
  return list;
}

Json initial_equations_of(const ModelData& model) {
  Json list = Json::array();
  for (std::size_t i = 0; i < model.initial_equations.size(); ++i) {
    const model::Equation& equation = model.initial_equations[i];
    list.push_back({{"name", equation.name.empty() ? fmt::format("initial equation {}", i + 1)
                                                   : equation.name},
                    {"text", text_of(model, equation)},
                    {"where", equation.place.text()}});
  }
  return list;
}

Json actions_of(const ModelData& model, const model::When& when) {
  Json list = Json::array();
  for (const model::Reinit& reinit : when.reinits)
    list.push_back(fmt::format(
        "reinit({}, {})",
        model::derivative_name(model.variables[reinit.unknown.index()].name, reinit.order),
        expr::to_text(*model.graph, reinit.value)));
  for (const model::Assignment& assignment : when.assignments)
    list.push_back(fmt::format("{} = {}", model.parameters[assignment.variable.index()].name,
                               expr::to_text(*model.graph, assignment.value)));
  if (when.ends_run) list.push_back(fmt::format("terminate(\"{}\")", when.message));
  return list;
}

Json whens_of(const ModelData& model) {
  Json list = Json::array();
  for (const model::When& when : model.whens)
    list.push_back({{"name", model.label(when)},
                    {"condition", expr::to_text(*model.graph, when.condition)},
                    {"actions", actions_of(model, when)},
                    {"where", when.place.text()}});
  return list;
}

Json outputs_of(const ModelData& model, const Analysis& analysis) {
  Json list = Json::array();
  const std::vector<const model::Output*> outputs = model::outputs_of(model);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    list.push_back({{"name", outputs[k]->name},
                    {"text", analysis.output_texts[k]},
                    {"unit", outputs[k]->unit},
                    {"description", outputs[k]->description}});
  return list;
}

Json model_json(const ModelData& model, const Analysis& analysis) {
  Values values(model);
  const std::size_t num_equations = analysis.equations.size();
  return {{"parameters", parameters_of(model, values)},
          {"variables", variables_of(model, values)},
          {"equations", equations_of(model, analysis)},
          {"equations_left_out", num_equations - std::min(num_equations, most_equations)},
          {"initial_equations", initial_equations_of(model)},
          {"events", whens_of(model)},
          {"outputs", outputs_of(model, analysis)}};
}

Json chain_of(const Analysis& analysis, const std::vector<Differentiation>& steps) {
  Json list = Json::array();
  for (const Differentiation& step : steps) {
    if (list.size() == most_differentiations) break;
    list.push_back({{"equation", analysis.equations[static_cast<std::size_t>(step.equation)]},
                    {"times", step.times},
                    {"text", analysis.equation_texts[static_cast<std::size_t>(step.equation)]},
                    {"reason", step.reason}});
  }
  return list;
}

Json structure_json(const Analysis& analysis) {
  Json json = json_of(analysis);
  json.erase("equation_texts");  // the model has them
  json["why"] = index_story(analysis);
  const std::vector<Differentiation> steps = differentiations_of(analysis);
  json["chain"] = chain_of(analysis, steps);
  json["chain_left_out"] = steps.size() - json["chain"].size();
  return json;
}

Json start_json(const ConsistentPoint& point) {
  Json json = json_of(point);
  Json moves = Json::array();
  for (const StartValue& start : point.start)
    moves.push_back(
        {{"name", model::derivative_name(point.variables[static_cast<std::size_t>(start.variable)],
                                         start.order)},
         {"given", start.given},
         {"value", start.value},
         {"moved", start.moved()},
         {"fixed", start.fixed},
         {"undetermined", start.undetermined}});
  json["moves"] = moves;
  return json;
}

Json run_json(const Solution& solution) {
  Json json = json_of(solution);
  json.erase("indicators");  // a curve of their own
  json.erase("at");
  Json& events = json["events"];
  json["events_left_out"] = events.size() - std::min(events.size(), most_events);
  if (events.size() > most_events)
    events.erase(events.begin() + static_cast<std::ptrdiff_t>(most_events), events.end());
  return json;
}

// Where which mode held; of a run with very many changes the first ones.
Json mode_spans_of(const Solution& solution) {
  Json spans = Json::array();
  if (solution.modes().empty()) return spans;
  double from = solution.start().t;
  int mode = 1;
  const auto add = [&](double to) {
    if (spans.size() < most_events) spans.push_back({{"from", from}, {"to", to}, {"mode", mode}});
  };
  for (const Event& event : solution.events()) {
    if (event.mode == mode) continue;
    add(event.t);
    from = event.t;
    mode = event.mode;
  }
  add(solution.t());
  return spans;
}

Json problems_of(const Analysis& analysis, const Solution* solution) {
  std::vector<Problem> problems = analysis.diagnosis;
  if (solution != nullptr)
    for (const auto* found : {&solution->problems(), &solution->warnings()})
      problems.insert(problems.end(), found->begin(), found->end());
  Json list = errors_of(problems);
  for (std::size_t k = 0; k < problems.size(); ++k) list[k]["page"] = error_page(problems[k].id);
  return list;
}

// The clock's, unless SOURCE_DATE_EPOCH gives another in seconds since 1970, for pages that are the
// same byte by byte (https://reproducible-builds.org/specs/source-date-epoch/).
std::time_t time_of_page() {
  constexpr std::time_t year_10000 = 253402300800;
  const char* given = std::getenv("SOURCE_DATE_EPOCH");
  const std::string_view text = given == nullptr ? "" : given;
  std::time_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_time = error == std::errc() && end == text.data() + text.size() && seconds >= 0 &&
                       seconds < year_10000;
  return is_time ? seconds : std::time(nullptr);
}

Json references_json(const Analysis& analysis, const Solution* solution) {
  Json list = Json::array();
  for (const Reference& reference : references_of(analysis, solution))
    list.push_back({{"what", reference.what}, {"text", reference.text}});
  return list;
}

}  // namespace

Json report_json(const Model& model, const Analysis& analysis, const Solution* solution,
                 const ReportOptions& options) {
  const ModelData& data = model.data();
  Json json;
  json["kind"] = solution == nullptr ? "analysis" : "run";
  json["daedal"] = version();
  json["created"] = fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(time_of_page()));
  json["command"] = options.command;
  json["title"] = data.name;
  json["description"] = data.description;
  json["file"] = data.place.file;
  json["model"] = model_json(data, analysis);
  json["analysis"] = structure_json(analysis);
  json["problems"] = problems_of(analysis, solution);
  json["references"] = references_json(analysis, solution);
  if (solution == nullptr) return json;
  json["start"] =
      solution->start().variables.empty() ? Json(nullptr) : start_json(solution->start());
  json["run"] = run_json(*solution);
  json["curves"] = curves_of(model, *solution, options);
  json["steps"] = steps_of(*solution);
  json["indicators"] = indicators_of(*solution);
  json["mode_spans"] = mode_spans_of(*solution);
  json["animation"] = animation_of(model, *solution);
  return json;
}

}  // namespace daedal::report
