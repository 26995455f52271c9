#include "report/index_story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/wording.hpp"
#include "model/model_data.hpp"

namespace daedal::report {
namespace {

using model::derivative_name;

// The offsets with the occurrences that force them: d_j = max_i (sigma_ij + c_i) and c_i = d_j -
// sigma_ij on the transversal (Pryce2001, section 2).
class Offsets {
 public:
  explicit Offsets(const Analysis& analysis)
      : analysis_(analysis),
        matched_order_(analysis.c.size(), 0),
        cause_(analysis.d.size(), -1),
        cause_order_(analysis.d.size(), 0) {
    for (const Occurrence& o : analysis.signature) {
      if (analysis.transversal[o.equation] == o.variable) matched_order_[o.equation] = o.order;
      const bool is_tight = o.order + analysis.c[o.equation] == analysis.d[o.variable];
      int& cause = cause_[o.variable];
      if (!is_tight || analysis.transversal[o.equation] == o.variable) continue;
      if (cause < 0 || analysis.c[o.equation] < analysis.c[cause]) {
        cause = o.equation;
        cause_order_[o.variable] = o.order;
      }
    }
  }

  // Why equation i is differentiated.
  std::string reason(int i) const {
    const int j = analysis_.transversal[i];
    const std::string& variable = analysis_.variables[j];
    const std::string own = derivative_name(variable, matched_order_[i]);
    const std::string wanted = derivative_name(variable, analysis_.d[j]);
    const int k = cause_[j];
    if (k < 0) return fmt::format("it contains {}, and {} is wanted", own, wanted);
    const std::string there = derivative_name(variable, cause_order_[j]);
    const std::string because = analysis_.c[k] == 0
                                    ? fmt::format("{} contains {}", quoted(k), there)
                                    : fmt::format("{} contains {} and is itself differentiated {}",
                                                  quoted(k), there, times(analysis_.c[k]));
    return fmt::format("{}; this equation has to determine {} but contains {} at most", because,
                       wanted, own);
  }

  std::string quoted(int i) const { return "'" + analysis_.equations[i] + "'"; }
  static std::string times(int count) {
    return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
  }

 private:
  const Analysis& analysis_;
  std::vector<int> matched_order_;  // by equation: that of its variable in it
  std::vector<int> cause_;  // by variable: another equation that asks for its d-th derivative
  std::vector<int> cause_order_;
};

bool has_offsets(const Analysis& analysis) { return !analysis.c.empty(); }

// "2 are differentiated twice, 1 once"
std::string list_of_sizes(const Analysis& analysis) {
  std::vector<std::string> parts;
  const int most = *std::max_element(analysis.c.begin(), analysis.c.end());
  for (int times = most; times >= 1; --times) {
    const auto count = std::count(analysis.c.begin(), analysis.c.end(), times);
    if (count == 0) continue;
    const char* verb = !parts.empty() ? ""
                       : count == 1   ? "is differentiated "
                                      : "are differentiated ";
    parts.push_back(fmt::format("{} {}{}", count, verb, Offsets::times(times)));
  }
  return base::listed(parts);
}

std::string index_sentence(const Analysis& analysis, int most) {
  const auto algebraic = std::find(analysis.d.begin(), analysis.d.end(), 0);
  if (algebraic == analysis.d.end())
    return fmt::format(
        "With these, the equations determine a derivative of every variable, so the structural "
        "index "
        "is the largest number of differentiations: {}.",
        most);
  const std::string& name = analysis.variables[algebraic - analysis.d.begin()];
  return fmt::format(
      "'{}' occurs without derivatives: the equations determine it, and one more differentiation "
      "would tell der({}). So the structural index is {} + 1 = {}.",
      name, name, most, most + 1);
}

std::string freedom_sentence(const Analysis& analysis) {
  const int d = std::accumulate(analysis.d.begin(), analysis.d.end(), 0);
  const int c = std::accumulate(analysis.c.begin(), analysis.c.end(), 0);
  return fmt::format(
      "The highest derivatives have orders that add up to {}, the differentiations to {}; what is "
      "left, {} - {} = {}, is the number of degrees of freedom: values that can be chosen at the "
      "start.",
      d, c, d, c, d - c);
}

std::vector<std::string> story_of_failure(const Analysis& analysis, int most,
                                          const std::string& size) {
  std::vector<std::string> story;
  if (most == 0)
    story.emplace_back(
        "By their pattern, the equations should determine the highest derivatives of all variables "
        "as they stand.");
  else
    story.push_back(fmt::format(
        "By their pattern, the equations should determine the highest derivatives of all variables "
        "together with derivatives of some of them: of {}, {}.",
        size, list_of_sizes(analysis)));
  story.emplace_back(
      "But the Jacobian of the system so found is singular: the pattern hides something that the "
      "numbers show. Index and degrees of freedom that are counted by the pattern cannot be "
      "trusted.");
  if (analysis.numerical_index)
    story.push_back(fmt::format("The derivative array shows index {}.", *analysis.numerical_index));
  return story;
}

}  // namespace

std::vector<Differentiation> differentiations_of(const Analysis& analysis) {
  std::vector<Differentiation> list;
  if (!has_offsets(analysis)) return list;
  const Offsets offsets(analysis);
  for (int i = 0; i < analysis.size(); ++i)
    if (analysis.c[i] > 0) list.push_back({i, analysis.c[i], offsets.reason(i)});
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.times > b.times; });
  return list;
}

std::vector<std::string> index_story(const Analysis& analysis) {
  if (!has_offsets(analysis))
    return {"No assignment of variables to equations exists, so there is no index to speak of."};
  const int most = *std::max_element(analysis.c.begin(), analysis.c.end());
  const std::string size = base::plural(static_cast<std::size_t>(analysis.size()), "equation");
  if (analysis.status != AnalysisStatus::ok) return story_of_failure(analysis, most, size);
  std::vector<std::string> story;
  if (most == 0)
    story.emplace_back(
        "No equation has to be differentiated: as they stand, the equations determine the highest "
        "derivatives of all variables.");
  else
    story.push_back(fmt::format(
        "As they stand, the equations do not determine the highest derivatives of all variables. "
        "They do together with derivatives of some of them: of {}, {}.",
        size, list_of_sizes(analysis)));
  story.push_back(index_sentence(analysis, most));
  story.push_back(freedom_sentence(analysis));
  return story;
}

}  // namespace daedal::report
