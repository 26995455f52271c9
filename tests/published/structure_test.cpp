// Structural facts in print, or derivable by hand, about every problem of the collection: first all
// of them from the data files, then one by one by name.
#include <gmock/gmock.h>

#include <set>

#include "published/problem_data.hpp"

namespace daedal::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using Names = std::set<std::string>;

// The variables of the blocks that the diagnosis calls singular: "... the system Jacobian of block
// 3 {u1, u2} is ..."
std::vector<Names> diagnosed_blocks(const Analysis& analysis) {
  std::vector<Names> blocks;
  for (const Problem& problem : analysis.diagnosis) {
    const std::size_t begin = problem.what.find('{');
    const std::size_t end = problem.what.find('}');
    if (problem.id != "S-STR-001" || end == std::string::npos) continue;
    Names names;
    std::string list = problem.what.substr(begin + 1, end - begin - 1) + ", ";
    for (std::size_t comma = list.find(", "); comma != std::string::npos; comma = list.find(", ")) {
      names.insert(list.substr(0, comma));
      list.erase(0, comma + 2);
    }
    blocks.push_back(names);
  }
  return blocks;
}

Names variables_of(const Analysis& analysis, const AnalysisBlock& block) {
  Names names;
  for (const int j : block.variables) names.insert(analysis.variables[j]);
  return names;
}

Names equations_of(const Analysis& analysis, const AnalysisBlock& block) {
  Names names;
  for (const int i : block.equations) names.insert(analysis.equations[i]);
  return names;
}

// Blocks that are singular are diagnosed, each with exactly these variables, and consist of exactly
// these equations.
void expect_singular_blocks(const Analysis& analysis, const Json& expected) {
  std::vector<Names> variables;
  for (const Json& block : expected) {
    variables.push_back(block.at("variables").get<Names>());
    const auto found = std::find_if(
        analysis.blocks.begin(), analysis.blocks.end(),
        [&](const AnalysisBlock& b) { return variables_of(analysis, b) == variables.back(); });
    ASSERT_NE(found, analysis.blocks.end()) << block;
    EXPECT_EQ(equations_of(analysis, *found), block.at("equations").get<Names>());
  }
  EXPECT_THAT(diagnosed_blocks(analysis), testing::UnorderedElementsAreArray(variables));
}

void expect_structure(const Analysis& analysis, const Json& expected) {
  EXPECT_EQ(to_string(analysis.status), expected.at("status"));
  EXPECT_EQ(analysis.c, expected.at("c").get<std::vector<int>>());
  EXPECT_EQ(analysis.d, expected.at("d").get<std::vector<int>>());
  EXPECT_EQ(analysis.quasilinear, expected.at("quasilinear").get<bool>());
  if (analysis.status == AnalysisStatus::ok) {
    EXPECT_EQ(analysis.structural_index, expected.at("structural_index"));
    EXPECT_EQ(analysis.dof, expected.at("dof"));
  }
  if (expected.contains("initial_values")) {
    EXPECT_EQ(analysis.initial_values,
              expected.at("initial_values").get<std::vector<std::string>>());
  }
  expect_singular_blocks(analysis, expected.value("singular_blocks", Json::array()));
}

using Triple = std::array<int, 3>;

std::vector<Triple> signature_of(const Analysis& analysis) {
  std::vector<Triple> signature;
  for (const Occurrence& o : analysis.signature)
    signature.push_back({o.equation, o.variable, o.order});
  return signature;
}

class ProblemStructure : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(All, ProblemStructure, testing::ValuesIn(all_variants()),
                         [](const auto& test) { return test.param.name(); });

TEST_P(ProblemStructure, of_the_cpp_form_is_the_published_one) {
  expect_structure(analyze(GetParam().cpp()), GetParam().facts.at("structure"));
}

TEST_P(ProblemStructure, of_the_model_language_form_is_the_published_one) {
  expect_structure(analyze(GetParam().mo()), GetParam().facts.at("structure"));
}

TEST_P(ProblemStructure, is_the_same_in_both_forms) {
  const Analysis cpp = analyze(GetParam().cpp());
  const Analysis mo = analyze(GetParam().mo());
  EXPECT_EQ(cpp.model, mo.model);
  EXPECT_EQ(cpp.variables, mo.variables);
  EXPECT_EQ(cpp.equations, mo.equations);
  EXPECT_EQ(signature_of(cpp), signature_of(mo));
  EXPECT_EQ(cpp.transversal, mo.transversal);
  EXPECT_EQ(cpp.c, mo.c);
  EXPECT_EQ(cpp.d, mo.d);
  EXPECT_EQ(cpp.structural_index, mo.structural_index);
  EXPECT_EQ(cpp.dof, mo.dof);
  EXPECT_EQ(cpp.quasilinear, mo.quasilinear);
  EXPECT_EQ(cpp.initial_values, mo.initial_values);
  EXPECT_EQ(diagnosed_blocks(cpp), diagnosed_blocks(mo));
  EXPECT_TRUE(cpp.blocks == mo.blocks);
  EXPECT_TRUE(cpp.coarse_blocks == mo.coarse_blocks);
}

TEST_P(ProblemStructure, comes_with_its_source) {
  EXPECT_FALSE(GetParam().facts.at("structure_source").get<std::string>().empty());
  if (!GetParam().parameters.empty()) return;
  EXPECT_FALSE(GetParam().facts.at("title").get<std::string>().empty());
  EXPECT_FALSE(GetParam().facts.at("source").get<std::string>().empty());
}

TEST(ProblemCollection, has_a_data_file_and_a_cpp_form_for_every_model_file) {
  Names models, data, cpp;
  for (const auto& file : problem_files(".mo")) models.insert(file.stem().string());
  for (const auto& file : problem_files(".json")) data.insert(file.stem().string());
  for (const auto& [name, maker] : makers()) cpp.insert(name);
  EXPECT_EQ(models, data);
  EXPECT_EQ(models, cpp);
}

// ---------------------------------------------------------------------------------------------------------------------
// One by one

using problems::coupled_pendula;

TEST(Pryce2018, simple_pendulum_has_offsets_002_and_220_index_3_and_2_degrees_of_freedom) {
  const Analysis a = analyze(problems::pendulum());
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_THAT(a.c, ElementsAre(0, 0, 2));
  EXPECT_THAT(a.d, ElementsAre(2, 2, 0));
  EXPECT_EQ(a.structural_index, 3);
  EXPECT_EQ(a.dof, 2);
  EXPECT_TRUE(a.quasilinear);
  EXPECT_THAT(a.initial_values, ElementsAre("x", "der(x)", "y", "der(y)"));
}

TEST(Pryce2018, simple_pendulum_has_the_signature_of_eq_12) {
  const std::vector<Triple> expected = {{0, 0, 2}, {0, 2, 0}, {1, 1, 2},
                                        {1, 2, 0}, {2, 0, 0}, {2, 1, 0}};
  EXPECT_EQ(signature_of(analyze(problems::pendulum())), expected);
}

TEST(Pryce2018, dae_2_needs_no_differentiation_and_has_1_degree_of_freedom) {
  const Analysis a = analyze(problems::causality_2());
  EXPECT_THAT(a.c, ElementsAre(0, 0));
  EXPECT_EQ(a.dof, 1);
}

TEST(Pryce2018, dae_2_finds_x1_independently_of_the_ode_part) {
  EXPECT_EQ(analyze(problems::causality_2()).blocks.front().variables, std::vector<int>{0});
}

TEST(Pryce2018, dae_3_differentiates_its_first_equation_and_has_no_freedom) {
  const Analysis a = analyze(problems::causality_3());
  EXPECT_THAT(a.c, ElementsAre(1, 0));
  EXPECT_EQ(a.structural_index, 2);
  EXPECT_EQ(a.dof, 0);
}

TEST(Pryce2018, dae_4_needs_no_differentiation_and_has_1_degree_of_freedom) {
  const Analysis a = analyze(problems::causality_4());
  EXPECT_THAT(a.c, ElementsAre(0, 0));
  EXPECT_EQ(a.dof, 1);
}

TEST(Pryce2018, controlled_pendulum_has_offsets_0022_and_2200_and_no_freedom) {
  const Analysis a = analyze(problems::controlled_pendulum());
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_THAT(a.c, ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(a.d, ElementsAre(2, 2, 0, 0));
  EXPECT_EQ(a.dof, 0);
}

TEST(Pryce2018, outer_planets_are_an_ode_of_order_2_and_size_15) {
  const Analysis a = analyze(problems::detest_c5());
  EXPECT_EQ(a.size(), 15);
  EXPECT_THAT(a.c, Each(0));
  EXPECT_THAT(a.d, Each(2));
  EXPECT_EQ(a.structural_index, 0);
  EXPECT_EQ(a.dof, 30);
}

TEST(Nedialkov2008, coupled_pendula_reach_index_47) {
  const Analysis a = analyze(coupled_pendula(23));
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_EQ(a.structural_index, 47);
  EXPECT_EQ(a.dof, 46);
}

TEST(Nedialkov2008, two_coupled_pendula_have_equation_offsets_224002) {
  EXPECT_THAT(analyze(coupled_pendula(2)).c, ElementsAre(2, 2, 4, 0, 0, 2));
}

TEST(Nedialkov2008, offsets_of_coupled_pendula_do_not_depend_on_the_coupling) {
  EXPECT_EQ(analyze(coupled_pendula(5, 0.1)).c, analyze(coupled_pendula(5, -3.0)).c);
}

// The coupling stands in the signature, and off the diagonal blocks of J: offsets larger than
// needed, but valid ones.
TEST(CoupledPendula, switched_off_coupling_changes_neither_the_offsets_nor_the_verdict) {
  const Analysis a = analyze(coupled_pendula(2, 0.0));
  EXPECT_THAT(a.c, ElementsAre(2, 2, 4, 0, 0, 2));
  EXPECT_EQ(a.status, AnalysisStatus::ok);
}

TEST(Nedialkov2009, parallel_robot_in_its_first_mode_is_quasilinear_of_index_3) {
  const Analysis a = analyze(problems::parallel_robot());
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_THAT(a.c, ElementsAre(2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(a.d, ElementsAre(2, 2, 2, 2, 1, 1, 0, 0, 0, 0, 1, 1));
  EXPECT_TRUE(a.quasilinear);
  EXPECT_EQ(a.structural_index, 3);
  EXPECT_EQ(a.dof, 6);
}

TEST(Nedialkov2009, parallel_robot_needs_initial_values_of_x_q_and_their_rates_of_qd_and_of_E) {
  EXPECT_THAT(analyze(problems::parallel_robot()).initial_values,
              ElementsAre("x", "der(x)", "z", "der(z)", "q[1]", "der(q[1])", "q[2]", "der(q[2])",
                          "qd[1]", "qd[2]", "E[1]", "E[2]"));
}

TEST(BrenanCampbellPetzold1996, shuttle_has_index_3_and_is_nonlinear_in_the_bank_angle) {
  const Analysis a = analyze(problems::shuttle());
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_EQ(a.structural_index, 3);
  EXPECT_EQ(a.dof, 4);
  EXPECT_FALSE(a.quasilinear);
  for (const AnalysisBlock& block : a.blocks)
    EXPECT_EQ(block.linear, !variables_of(a, block).contains("b"))
        << testing::PrintToString(variables_of(a, block));
}

TEST(MazziaMagherini2008, car_axis_has_index_3) {
  const Analysis a = analyze(problems::car_axis());
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_EQ(a.structural_index, 3);
  EXPECT_EQ(a.dof, 4);
}

TEST(MazziaMagherini2008,
     structural_analysis_fails_on_the_three_capacitor_loops_of_the_transistor_amplifier) {
  const Analysis a = analyze(problems::transistor_amplifier());
  EXPECT_EQ(a.status, AnalysisStatus::structural_analysis_fails);
  EXPECT_THAT(diagnosed_blocks(a), testing::UnorderedElementsAre(
                                       Names{"y1", "y2"}, Names{"y4", "y5"}, Names{"y7", "y8"}));
}

TEST(MazziaMagherini2008, the_hidden_equations_of_the_transistor_amplifier_are_the_row_sums) {
  std::string reasons;
  for (const Problem& problem : analyze(problems::transistor_amplifier()).diagnosis)
    reasons += problem.why;
  EXPECT_THAT(reasons, HasSubstr("'equation 1' + 'equation 2'"));
  EXPECT_THAT(reasons, HasSubstr("'equation 4' + 'equation 5'"));
  EXPECT_THAT(reasons, HasSubstr("'equation 7' + 'equation 8'"));
}

TEST(CampbellHollenbeck1996, structural_analysis_fails_on_the_robot_arm_at_u1_and_u2) {
  const Analysis a = analyze(problems::robot_arm());
  EXPECT_EQ(a.status, AnalysisStatus::structural_analysis_fails);
  EXPECT_THAT(a.c, ElementsAre(1, 0, 1, 0, 0, 0, 2, 2));
  EXPECT_THAT(a.d, ElementsAre(2, 1, 2, 1, 1, 1, 0, 0));
  EXPECT_THAT(diagnosed_blocks(a), ElementsAre(Names{"u1", "u2"}));
}

TEST(CampbellHollenbeck1996, robot_arm_with_the_printed_sign_is_regular_of_index_3_and_not_5) {
  Model model = problems::robot_arm();
  model.set_parameter("sign", 1);
  const Analysis a = analyze(model);
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_THAT(a.c, ElementsAre(1, 0, 1, 0, 0, 0, 2, 2));
  EXPECT_EQ(a.structural_index, 3);
}

TEST(Reissig2000, an_index_1_system_has_structural_index_3_and_a_regular_jacobian) {
  const Analysis a = analyze(problems::linear_4());
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_EQ(a.structural_index, 3);
  EXPECT_EQ(a.dof, 2);
}

TEST(LinearHighIndex, structural_analysis_fails_on_no_3_in_the_block_of_x4_x5_and_x6) {
  const Analysis a = analyze(problems::linear_3());
  EXPECT_EQ(a.status, AnalysisStatus::structural_analysis_fails);
  EXPECT_THAT(diagnosed_blocks(a), ElementsAre(Names{"x4", "x5", "x6"}));
}

TEST(AndrejevicDing2020, structural_analysis_fails_on_the_example_that_is_not_semi_explicit) {
  const Analysis a = analyze(problems::linear_5());
  EXPECT_EQ(a.status, AnalysisStatus::structural_analysis_fails);
  EXPECT_THAT(diagnosed_blocks(a), ElementsAre(Names{"y1", "y2"}));
}

TEST(LinearHighIndex, chain_of_n_has_index_n_and_no_freedom) {
  for (const int n : {1, 2, 3, 6, 50}) {
    const Analysis a = analyze(problems::linear_chain(n));
    EXPECT_EQ(a.structural_index, n);
    EXPECT_EQ(a.dof, 0);
  }
}

TEST(PendulumRow, joined_by_springs_has_a_block_for_each_pendulum) {
  const Analysis a = analyze(problems::pendulum_row_springs(30));
  EXPECT_EQ(a.blocks.size(), 30);
  for (const AnalysisBlock& block : a.blocks) EXPECT_EQ(block.variables.size(), 3);
}

TEST(PendulumRow, joined_by_inerters_is_one_block) {
  const Analysis a = analyze(problems::pendulum_row_inerters(30));
  ASSERT_EQ(a.blocks.size(), 1);
  EXPECT_EQ(a.blocks[0].variables.size(), 90);
}

TEST(ArcLength, is_nonlinear_in_its_highest_derivatives_so_they_are_initial_values) {
  const Analysis a = analyze(problems::arc_length());
  EXPECT_EQ(a.status, AnalysisStatus::ok);
  EXPECT_FALSE(a.quasilinear);
  EXPECT_THAT(a.initial_values, ElementsAre("x", "der(x)", "y", "der(y)"));
}

}  // namespace
}  // namespace daedal::test
