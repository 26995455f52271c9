// An ensemble is single runs: for every model in problems/ and every method that ensembles accept,
// modes, events, conversions, arrays and singular passages included, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include "daedal/analysis.hpp"
#include "daedal/ensemble.hpp"
#include "daedal/error.hpp"
#include "daedal/method.hpp"
#include "daedal/model.hpp"
#include "daedal/solve.hpp"

namespace daedal {
namespace {

std::vector<std::filesystem::path> all_models() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(DAEDAL_SOURCE_DIR "/problems"))
    if (entry.path().extension() == ".mo") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool are_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expect_same(const Solution& member, const Solution& alone) {
  EXPECT_EQ(member.status(), alone.status());
  EXPECT_EQ(member.method(), alone.method());
  EXPECT_EQ(member.method_reason(), alone.method_reason());
  EXPECT_EQ(member.converted(), alone.converted());
  EXPECT_EQ(member.t(), alone.t());
  EXPECT_EQ(member.order(), alone.order());
  EXPECT_EQ(member.statistics().steps, alone.statistics().steps);
  EXPECT_EQ(member.statistics().rejected, alone.statistics().rejected);
  EXPECT_EQ(member.events().size(), alone.events().size());
  EXPECT_EQ(member.singularities().size(), alone.singularities().size());
  EXPECT_EQ(member.warnings().size(), alone.warnings().size());
  ASSERT_EQ(member.problems().size(), alone.problems().size());
  for (std::size_t k = 0; k < member.problems().size(); ++k)
    EXPECT_EQ(member.problems()[k].id, alone.problems()[k].id);
  EXPECT_TRUE(are_same_bits(member.final(), alone.final()));
}

class EnsembleEverywhere : public testing::TestWithParam<std::string> {};

// A run of some dozen steps says whether two ways to make it are the same. Steps on an array cost
// the cube of its size: a few of small models do.
bool is_on_array(const MethodInfo& method) { return !method.uses_structure; }

bool is_too_large(const Model& model, const MethodInfo& method) {
  constexpr int largest = 12;
  return is_on_array(method) && analyze(model).size() > largest;
}

TEST_P(EnsembleEverywhere, is_single_runs_bit_by_bit) {
  const MethodInfo& method = *find_method(GetParam());
  const SolveOptions options{.tolerance = 1e-8,
                             .method = method.name,
                             .kernel = "interpreter",
                             .max_steps = is_on_array(method) ? 4 : 60};
  for (const std::filesystem::path& file : all_models()) {
    SCOPED_TRACE(file.filename().string());
    const Model model = load_model(file.string());
    if (is_too_large(model, method)) continue;
    try {
      const Solution alone = solve(model, options);
      const std::vector<ParameterValues> members(2);
      for (const Solution& member :
           solve_ensemble(model, members, options, {.lanes = 2, .threads = 1}))
        expect_same(member, alone);
    } catch (const Error& refused) {  // both ways, for the same reason
      try {
        (void)solve_ensemble(model, std::vector<ParameterValues>(2), options);
        FAIL() << "run: " << refused.what();
      } catch (const Error& again) {
        EXPECT_EQ(again.problems()[0].id, refused.problems()[0].id);
      }
    }
  }
}

std::vector<std::string> names_of_methods() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods())
    if (method.accepts_ensembles) names.push_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, EnsembleEverywhere, testing::ValuesIn(names_of_methods()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace daedal
