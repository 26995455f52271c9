// The table of options: complete, one row for each field, with the defaults of the structs.
#include "settings/option_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "daedal/daedal.hpp"

namespace daedal::settings {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

// Structured bindings compile only with as many names as the struct has fields: whoever adds a
// field comes here, and then finds out whether the table has it.
template <typename... Fields>
std::size_t count(const Fields&...) {
  return sizeof...(Fields);
}

std::size_t num_fields(const CheckpointOptions& options) {
  const auto& [a, b, c, d] = options;
  return count(a, b, c, d);
}
std::size_t num_fields(const BdfOptions& options) {
  const auto& [a, b, c, d, e] = options;
  return count(a, b, c, d, e);
}
std::size_t num_fields(const EnsembleOptions& options) {
  const auto& [a, b] = options;
  return count(a, b);
}
std::size_t num_fields(const SolveOptions& options) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = options;
  return count(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
}

// on_sample and on_step; note and before_write of a checkpoint.
constexpr std::size_t num_callbacks = 4;

// Another value than the default, of its type and in its range.
OptionValue another(const OptionInfo& info) {
  switch (info.type) {
    case OptionType::flag: return !std::get<bool>(info.default_value);
    case OptionType::whole_number: return 3L;
    case OptionType::number: return info.name == "tolerance" ? 0.01 : 0.25;
    case OptionType::numbers: return std::vector<double>{0.5, 0.75};
    case OptionType::file: return std::string("a.file");
    case OptionType::choice: break;
  }
  return info.choices.back();
}

template <typename Options>
std::vector<OptionValue> values_of(const Options& options) {
  std::vector<OptionValue> values;
  for (const auto& row : option_rows<Options>()) values.push_back(row.get(options));
  return values;
}

// Every row reads what it wrote, and no other row does.
template <typename Options>
void expect_rows_of_their_own() {
  const auto& rows = option_rows<Options>();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Options options;
    std::vector<OptionValue> expected = values_of(options);
    expected[k] = another(rows[k].info);
    set_option(options, rows[k].info.name, expected[k]);
    EXPECT_THAT(values_of(options), ElementsAreArray(expected)) << rows[k].info.name;
    set_option(options, rows[k].info.name, OptionValue());
    EXPECT_THAT(values_of(options), ElementsAreArray(values_of(Options()))) << rows[k].info.name;
  }
}

Problem refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.problems().front();
  }
  return {};
}

TEST(OptionTable, has_every_field_of_the_options_but_callbacks) {
  const std::size_t nested = num_fields(BdfOptions()) + num_fields(CheckpointOptions());
  EXPECT_EQ(option_rows<SolveOptions>().size(),
            num_fields(SolveOptions()) - 2 + nested - num_callbacks);
  EXPECT_EQ(option_rows<EnsembleOptions>().size(), num_fields(EnsembleOptions()));
}

TEST(OptionTable, has_a_field_of_its_own_for_each_row) {
  expect_rows_of_their_own<SolveOptions>();
  expect_rows_of_their_own<EnsembleOptions>();
}

TEST(OptionTable, has_the_defaults_of_the_structs) {
  for (const OptionInfo& info : options()) {
    const bool is_of_ensembles = info.group == OptionGroup::ensemble;
    EXPECT_EQ(info.default_value, is_of_ensembles ? get_option(EnsembleOptions(), info.name)
                                                  : get_option(SolveOptions(), info.name))
        << info.name;
    EXPECT_NE(info.default_text, "") << info.name;
    EXPECT_NE(info.default_text, "left to the program") << info.name << ": say what is done then";
  }
}

TEST(OptionTable, gives_each_name_and_flag_once) {
  std::set<std::string> names, flags;
  for (const OptionInfo& info : options()) {
    for (const std::string& name : {info.name, info.short_name})
      EXPECT_TRUE(name.empty() || names.insert(name).second) << name;
    EXPECT_TRUE(info.flag.empty() || flags.insert(info.flag).second) << info.flag;
  }
}

TEST(OptionTable, describes_every_option) {
  for (const OptionInfo& info : options()) {
    EXPECT_NE(info.help, "") << info.name;
    EXPECT_EQ(info.choices.empty(), info.type != OptionType::choice) << info.name;
    if (info.flag.empty() || info.type == OptionType::flag) continue;
    EXPECT_NE(info.value_name, "") << info.name;
    EXPECT_NE(info.takes, "") << info.name;
  }
}

TEST(OptionTable, knows_the_words_of_enumerations) {
  EXPECT_THAT(find_option("kernel")->choices, ElementsAreArray(names_of<Kernel>()));
  EXPECT_THAT(find_option("method")->choices, ElementsAreArray(names_of<Method>()));
  for (const MethodInfo& method : methods()) EXPECT_EQ(&info_of(method.method), &method);
}

TEST(OptionTable, has_bounds_that_the_checks_of_a_run_enforce) {
  Model m("Decay");
  const Expression x = m.variable("x", {.start = {1.0}, .fixed = {true}});
  m.equation(der(x) == -x);
  for (const OptionInfo& info : options()) {
    if (!std::isfinite(info.bounds.least) || info.group == OptionGroup::ensemble) continue;
    SolveOptions options{.method = Method::bdf};
    const double below = info.bounds.least - std::max(1.0, std::abs(info.bounds.least));
    set_option(options, info.name,
               info.type == OptionType::number ? OptionValue(below)
                                               : OptionValue(static_cast<long>(below)));
    const Problem problem = refusal([&] { solve(m, options); });
    EXPECT_EQ(problem.id, info.error_id) << info.name;
    EXPECT_THAT(problem.why, HasSubstr(info.name + " must be " + info.range));
  }
}

TEST(Options, are_found_by_either_name) {
  EXPECT_EQ(find_option("tol"), find_option("tolerance"));
  EXPECT_EQ(find_option(""), nullptr);
  SolveOptions options;
  set_option(options, "tol", 1e-5);
  EXPECT_EQ(options.tolerance, 1e-5);
}

TEST(Options, take_whole_numbers_for_numbers_but_not_the_reverse) {
  SolveOptions options;
  set_option(options, "to", 3L);
  EXPECT_EQ(options.to, 3.0);
  EXPECT_EQ(refusal([&] { set_option(options, "order", 3.0); }).id, "E-OPT-007");
  EXPECT_EQ(refusal([&] { set_option(options, "order", 1L << 40); }).id, "E-OPT-001");
}

TEST(Options, that_do_not_exist_are_refused_with_the_nearest) {
  SolveOptions options;
  const Problem problem = refusal([&] { set_option(options, "tolerence", 1e-5); });
  EXPECT_EQ(problem.id, "E-OPT-007");
  EXPECT_THAT(problem.todo, HasSubstr("tolerance"));
  EXPECT_EQ(refusal([&] { set_option(options, "lanes", 4L); }).id, "E-OPT-007");
}

TEST(Choices, are_made_of_values_and_of_names) {
  const SolveOptions options{.method = "dd-ida", .kernel = Kernel::compiled};
  EXPECT_TRUE(options.method == Method::dd_ida);
  EXPECT_EQ(options.method.name(), "dd-ida");
  EXPECT_EQ(options.kernel.name(), "compiled");
}

TEST(Choices, keep_a_name_that_is_none_until_it_is_refused) {
  const MethodChoice method = "tailor";
  EXPECT_FALSE(method.is_known());
  EXPECT_EQ(method.name(), "tailor");
  EXPECT_FALSE(method == Method::automatic);
}

}  // namespace
}  // namespace daedal::settings
