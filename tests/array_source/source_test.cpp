// The source of a derivative array, compiled: the same bits as the interpreter, and J against
// differences of its own G in more digits.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <span>
#include <sstream>

#include "compiled_source.hpp"
#include "daedal/array_analysis.hpp"
#include "daedal/error.hpp"
#include "problems/problems.hpp"

namespace daedal::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Warnings that people have switched on are errors here. -O1: no more than tests need.
constexpr const char* strict =
    "-std=c99 -pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes "
    "-Werror -O1 -ffp-contract=off";

struct Named {
  std::string name;
  Model (*make)();
};
void PrintTo(const Named& named, std::ostream* to) { *to << named.name; }

const std::vector<Named> models = {
    {"pendulum", problems::pendulum},
    {"car_axis", problems::car_axis},
    {"robot_arm", problems::robot_arm},
    {"shuttle", problems::shuttle},
    {"transistor_amplifier", problems::transistor_amplifier},
    {"chemical_akzo", problems::chemical_akzo},
    {"reactor_separator", problems::reactor_separator},
    {"tray_column", [] { return problems::tray_column(4); }},
    {"four_bar_of_a_Lagrangian", problems::four_bar},
    {"spring_mass_pendulum_of_a_Lagrangian", [] { return problems::spring_mass_pendulum(2); }},
    {"linear_chain", [] { return problems::linear_chain(6); }},
    {"dense_linear", [] { return problems::dense_linear(12); }},
};

// Numbers that have no pattern, between 0.3 and 0.9: inside the domain of every function of these
// models.
double scattered(std::size_t k) {
  return 0.6 + 0.3 * std::sin(1.0 + 17.0 * static_cast<double>(k));
}

std::vector<double> point_of(const DerivativeArray& array) {
  std::vector<double> values;
  for (int c = 0; c < array.num_columns(); ++c)
    values.push_back(scattered(static_cast<std::size_t>(c)));
  return values;
}

struct Results {
  std::vector<double> G, J;
};

struct Sparsity {
  std::vector<int> starts, columns;
};

// What the functions of a source say, each into arrays that held something else.
class Caller {
 public:
  Caller(const DerivativeArray& array, const std::string& flags = strict)
      : array_(array), source_(array.source("model"), "model", flags), p_(1000, -7.0) {
    source_.parameters(p_.data());
  }

  std::vector<double>& p() { return p_; }
  std::vector<double> residual(double t, const std::vector<double>& X) const {
    std::vector<double> G(static_cast<std::size_t>(array_.num_rows()), -7.0);
    source_.residual(t, X.data(), p_.data(), G.data());
    return G;
  }
  Results jacobian(double t, const std::vector<double>& X) const {
    Results results{std::vector<double>(static_cast<std::size_t>(array_.num_rows()), -7.0),
                    std::vector<double>(array_.jacobian().values.size(), -7.0)};
    source_.jacobian(t, X.data(), p_.data(), results.G.data(), results.J.data());
    return results;
  }
  Sparsity sparsity(int first) const {
    Sparsity found{std::vector<int>(array_.jacobian().row_starts.size()),
                   std::vector<int>(array_.jacobian().columns.size())};
    source_.sparsity(first, found.starts.data(), found.columns.data());
    return found;
  }

 private:
  const DerivativeArray& array_;
  CompiledSource source_;
  std::vector<double> p_;
};

bool same_bits(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expect_same(const std::vector<double>& found, std::span<const double> wanted,
                 const char* what) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k)
    EXPECT_TRUE(same_bits(found[k], wanted[k]))
        << what << "[" << k << "] is " << found[k] << ", not " << wanted[k];
}

void expect_same_as_interpreter(DerivativeArray& array, const Caller& caller, double t,
                                const std::vector<double>& X) {
  array.linearise(t, X);
  expect_same(caller.residual(t, X), array.values(), "G");
  const Results results = caller.jacobian(t, X);
  expect_same(results.G, array.values(), "G with J");
  expect_same(results.J, array.jacobian().values, "J");
}

void expect_same_as_interpreter(const Model& model, const DerivativeArrayOptions& options) {
  DerivativeArray array(model, options);
  const Caller caller(array);
  expect_same_as_interpreter(array, caller, 0.3, point_of(array));
}

class Source : public testing::TestWithParam<Named> {};

TEST_P(Source, computes_the_same_bits_as_the_interpreter) {
  const Model model = GetParam().make();
  for (const int r : {0, 3}) {
    SCOPED_TRACE(r);
    expect_same_as_interpreter(model, {.differentiations = r});
  }
}

TEST(SourcePattern, is_that_of_J_from_0_and_from_1) {
  const DerivativeArray array(problems::car_axis(), {.differentiations = 1});
  const Caller caller(array);
  for (const int first : {0, 1}) {
    const Sparsity found = caller.sparsity(first);
    for (std::size_t k = 0; k < found.starts.size(); ++k)
      EXPECT_EQ(found.starts[k], array.jacobian().row_starts[k] + first);
    for (std::size_t k = 0; k < found.columns.size(); ++k)
      EXPECT_EQ(found.columns[k], array.jacobian().columns[k] + first);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Truth that is not ours: differences in long double

std::string in_long_double(std::string text) {
  text = std::regex_replace(text, std::regex("<math.h>"), "<tgmath.h>");
  return std::regex_replace(text, std::regex("\\bdouble\\b"), "long double");
}

using Long = long double;

class LongResidual {
 public:
  explicit LongResidual(const DerivativeArray& array)
      : num_rows_(static_cast<std::size_t>(array.num_rows())),
        source_(in_long_double(array.source("model")), "model", "-std=c99 -O1"),
        p_(1000) {
    source_.parameters(p_.data());
  }
  std::vector<Long> operator()(Long t, const std::vector<Long>& X) const {
    std::vector<Long> G(num_rows_);
    source_.residual(t, X.data(), p_.data(), G.data());
    return G;
  }

 private:
  std::size_t num_rows_;
  CompiledSourceOf<Long> source_;
  std::vector<Long> p_;
};

// d/ds f(s) at 0 by central differences of steps h and 2 h: the error is of order h^4, 1e-16 for
// this h, and rounding (1e-19) is divided by it.
constexpr Long difference_step = 1e-4L;

template <typename Function>
std::vector<Long> slope(Function f) {
  const auto difference = [&](Long step) {
    std::vector<Long> after = f(step), before = f(-step);
    for (std::size_t k = 0; k < after.size(); ++k) after[k] = (after[k] - before[k]) / (2 * step);
    return after;
  };
  std::vector<Long> fine = difference(difference_step);
  const std::vector<Long> coarse = difference(2 * difference_step);
  for (std::size_t k = 0; k < fine.size(); ++k) fine[k] = (4 * fine[k] - coarse[k]) / 3;
  return fine;
}

// The largest entry of each row of J, not less than 1.
std::vector<double> row_sizes(const SparseMatrix& J) {
  std::vector<double> sizes;
  for (std::size_t row = 0; row + 1 < J.row_starts.size(); ++row) {
    sizes.push_back(1.0);
    for (int k = J.row_starts[row]; k < J.row_starts[row + 1]; ++k)
      sizes.back() = std::max(sizes.back(), std::abs(J.values[k]));
  }
  return sizes;
}

// The fifth derivatives that the error of the differences has, as well: those of exp(x/0.026) in
// the transistors of the amplifier are 1e8 times its first.
double tolerance_of(const std::string& name) {
  return name == "transistor_amplifier" ? 1e-6 : 1e-10;
}

void expect_jacobian(const DerivativeArray& array, const SparseMatrix& J,
                     const std::vector<double>& point, const LongResidual& residual,
                     double tolerance) {
  const std::vector<double> sizes = row_sizes(J);
  const std::vector<Long> at(point.begin(), point.end());
  for (std::size_t column = 0; column < point.size(); ++column) {
    const std::vector<Long> slopes = slope([&](Long step) {
      std::vector<Long> moved = at;
      moved[column] += step;
      return residual(0.3L, moved);
    });
    for (std::size_t row = 0; row < sizes.size(); ++row) {
      double entry = 0.0;  // what is not stored must be zero
      for (int k = J.row_starts[row]; k < J.row_starts[row + 1]; ++k)
        if (J.columns[k] == static_cast<int>(column)) entry = J.values[k];
      EXPECT_NEAR(entry, static_cast<double>(slopes[row]), tolerance * sizes[row])
          << array.row_names()[row] << " by " << array.column_names()[column];
    }
  }
}

// x^(order) at s, of the curve whose derivatives at 0 are those of the point.
Long on_the_curve(const DerivativeArray& array, const std::vector<double>& point, ArrayPlace place,
                  Long s) {
  Long sum = 0.0L, power = 1.0L;
  for (int m = place.order;; ++m) {
    const auto& all = array.columns();
    const auto found = std::find_if(all.begin(), all.end(), [&](const ArrayPlace& p) {
      return p.index == place.index && p.order == m;
    });
    if (found == all.end()) return sum;
    sum += power * point[static_cast<std::size_t>(found - all.begin())];
    power *= s / static_cast<Long>(m - place.order + 1);
  }
}

// Row d^(k+1)/dt^(k+1) f is the slope of row d^k/dt^k f along the curve.
void expect_rows_are_slopes(const DerivativeArray& array, const std::vector<double>& point,
                            const LongResidual& residual, double tolerance) {
  const auto along = [&](Long s) {
    std::vector<Long> X;
    for (const ArrayPlace& place : array.columns())
      X.push_back(on_the_curve(array, point, place, s));
    return residual(0.3L + s, X);
  };
  const std::vector<Long> G = along(0.0L), slopes = slope(along);
  for (std::size_t row = 0; row < G.size(); ++row)
    for (std::size_t next = 0; next < G.size(); ++next) {
      const ArrayPlace a = array.rows()[row], b = array.rows()[next];
      if (a.index != b.index || b.order != a.order + 1) continue;
      const double size = std::max(1.0, std::abs(static_cast<double>(G[next])));
      EXPECT_NEAR(static_cast<double>(slopes[row]), static_cast<double>(G[next]), tolerance * size)
          << array.row_names()[next];
    }
}

TEST_P(Source, is_confirmed_by_differences_of_its_own_G_in_long_double) {
  const Model model = GetParam().make();
  const DerivativeArray array(model, {.differentiations = 2});
  const std::vector<double> point = point_of(array);
  SparseMatrix J = array.jacobian();
  J.values = Caller(array).jacobian(0.3, point).J;
  const LongResidual residual(array);
  expect_jacobian(array, J, point, residual, tolerance_of(GetParam().name));
  expect_rows_are_slopes(array, point, residual, tolerance_of(GetParam().name));
}

INSTANTIATE_TEST_SUITE_P(Problems, Source, testing::ValuesIn(models),
                         [](const auto& test) { return test.param.name; });

// ---------------------------------------------------------------------------------------------------------------------
// Every operation

// Values between 0.3 and 0.9, so that all of these are defined.
Model every_operation() {
  Model model("EveryOperation");
  const auto p = model.parameter("p", 0.7), q = model.parameter("q", 2.0 * p);
  const auto x = model.variable("x"), y = model.variable("y"), z = model.variable("z");
  model.equation(exp(x) + exp(2 * y) * p + der(x, 2) == 0);
  model.equation(log(x) + sin(y) * cos(y) + tan(y) + tan(x) + tanh(z) == q * sqrt(x * y));
  model.equation(sinh(x) / cosh(x) + cosh(z * p) + asin(x) - acos(y) + atan(der(z)) == 3);
  model.equation(asinh(x) + acosh(1.5 + y) + atanh(z) + erf(x * y) == model.time());
  model.equation(atan2(x, y) + atan2(y, 2.0) + atan2(p, z) == pow(x, y) + pow(y, p) + pow(p, z));
  model.equation(abs(x - 2) + sign(y) * x + min(x, 0.5 * y) + max(z, p) == 1 / x + p / y + y / p);
  model.equation(pow(x, 7) + pow(y, -3) + pow(z, 2.7) + pow(x, 1.5) + pow(y, -1.5) == x * y * z);
  model.equation(sqr(x + y) * exp(p) - q * sqr(sin(p)) * z == 1e-300 * x + 2.5e17);
  return model;
}

TEST(SourceOfEveryOperation, computes_the_same_bits_written_out_and_in_loops) {
  for (const int r : {0, 1, 7, 8, 11}) {  // eight coefficients are written out at most
    SCOPED_TRACE(r);
    DerivativeArray array(every_operation(), {.differentiations = r});
    const Caller caller(array);
    expect_same_as_interpreter(array, caller, 0.3, point_of(array));
  }
}

Model long_sum() {
  Model model("LongSum");
  const auto x = model.variables("x", 200);
  const auto p = model.parameter("p", 3.0);
  Expression sum = 0.25, of_numbers = p * p;  // which is steady
  for (int k = 0; k < 200; ++k) {
    const Expression term = k % 2 == 0 ? x[k] : sqr(x[k]);
    sum = sum + (k % 3 == 0 ? p : Expression(k - 80.5)) * term;
    of_numbers = of_numbers + (60.5 - k) * term;
  }
  model.equation(sum == der(x[0]));
  model.equation(of_numbers == 17.5);
  return model;
}

TEST(SourceOfLongSums, computes_the_same_bits) {
  for (const int r : {1, 9}) expect_same_as_interpreter(long_sum(), {.differentiations = r});
}

// ---------------------------------------------------------------------------------------------------------------------
// Options

TEST(SourceOptions, follow_each_equation_its_own_number_of_differentiations) {
  const Model model = problems::pendulum();
  expect_same_as_interpreter(model, {.differentiations_by_equation = {0, 0, 2}});
  expect_same_as_interpreter(model, {.differentiations_by_equation = {4, 1, 0}});
}

TEST(SourceOptions, follow_entries_and_columns) {
  const Model model = problems::car_axis();
  expect_same_as_interpreter(model, {.differentiations = 3, .entries = ArrayEntries::coefficients});
  expect_same_as_interpreter(model,
                             {.differentiations = 2, .columns = ArrayColumns::derivatives_first});
}

TEST(SourceOptions, take_other_values_of_parameters_at_run_time) {
  DerivativeArray array(problems::pendulum(), {.differentiations = 2});
  Caller caller(array);
  EXPECT_EQ(caller.p()[0], 9.81);
  EXPECT_EQ(caller.p()[1], 10.0);
  caller.p()[0] = 1.62;
  caller.p()[1] = 0.5;
  array.set_parameters({{"g", 1.62}, {"L", 0.5}});
  expect_same_as_interpreter(array, caller, 0.0, point_of(array));
  const Caller later(array);  // whose defaults are these values
  expect_same_as_interpreter(array, later, 0.0, point_of(array));
}

TEST(SourceOptions, say_where_equations_with_branches_hold) {
  Model model("Tank");
  const auto h = model.variable("h", {.start = {1.0}}), q = model.variable("q");
  model.equation(der(h) == -q);
  model.equation(q == if_else(h > 0.5, 2 * h, sqr(h)));
  DerivativeArray array(model, {.differentiations = 1});
  EXPECT_THAT(array.source(), HasSubstr("h > 0.5"));
  expect_same_as_interpreter(array, Caller(array), 0.0, point_of(array));
  // The other branch is that of another point.
  model.set_start("h", 0.1);
  EXPECT_THAT(DerivativeArray(model).source(), Not(HasSubstr("h > 0.5")));
}

TEST(SourceOptions, keep_what_is_not_finite) {
  Model model("Logarithm");
  const auto x = model.variable("x");
  model.equation(der(x) == log(x));
  DerivativeArray array(model);
  const std::vector<double> outside(static_cast<std::size_t>(array.num_columns()), -1.0);
  expect_same_as_interpreter(array, Caller(array), 0.0, outside);
}

TEST(SourceOptions, refuse_a_prefix_that_is_no_name_and_make_one_of_any_model) {
  const DerivativeArray array(Model([] {
    Model model("2 tanks, */ \"one\" \\ ?\?/ l'autre");
    const auto x = model.variable("x*/y", {.description = "/* x */"});
    const auto p = model.parameter("p\n#error", 1.0);
    model.equation("first */ \"law\" ?\?/", der(x) == p * x);
    return model;
  }()));
  EXPECT_THAT(array.source(), HasSubstr("void model_2_tanks_one_l_autre_residual("));
  for (const char* name :
       {"2x", "a-b", "_x", "a b", "x\n", "a_name_that_is_longer_than_forty_characters"}) {
    try {
      (void)array.source(name);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.problems()[0].id, "E-ARR-004");
    }
  }
  Caller(array, std::string(strict) + " -DDAEDAL_DRIVER -Wwrite-strings");  // compiles
}

// ---------------------------------------------------------------------------------------------------------------------
// What is around the functions

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{} ", value);
  return text;
}

TEST(SourceDriver, prints_G_and_J_of_a_point_that_it_reads) {
  DerivativeArray array(problems::pendulum(), {.differentiations = 2});
  const std::vector<double> X = point_of(array);
  array.set_parameters({{"g", 1.0}, {"L", 2.0}});
  array.linearise(0.5, X);
  std::string wanted;
  const SparseMatrix& J = array.jacobian();
  for (int row = 0; row < array.num_rows(); ++row) {
    wanted += fmt::format("{} = {:.17g}\n", array.row_names()[row], array.values()[row]);
    for (int k = J.row_starts[row]; k < J.row_starts[row + 1]; ++k)
      wanted += fmt::format("  by {}: {:.17g}\n", array.column_names()[J.columns[k]], J.values[k]);
  }
  array.set_parameters({});
  const SourceFolder folder;
  folder.write("array.c", array.source());
  folder.write("point", "0.5 " + numbers(X) + "1 2\n");
  folder.run(std::string(DAEDAL_C_COMPILER) + " " + strict +
             " -DDAEDAL_DRIVER array.c -o driver -lm && ./driver < point");
  EXPECT_EQ(folder.read("said"), wanted);
  folder.write("half", "0.5 1 2");
  folder.run("! ./driver < half");
  EXPECT_EQ(folder.read("said"), "X[2], lambda, is missing\n");
}

TEST(SourceDeclarations, let_two_sources_be_called_by_one_program) {
  const SourceFolder folder;
  folder.write("a.c",
               DerivativeArray(problems::pendulum(), {.differentiations = 2}).source("first"));
  folder.write("b.c",
               DerivativeArray(problems::car_axis(), {.differentiations = 1}).source("second"));
  folder.write("main.c", R"(#define DAEDAL_DECLARATIONS
#include "a.c"
#include "b.c"
#include <stdio.h>
int main(void) {
  double X[first_num_columns] = {6, 8}, p[first_num_parameters], G[first_num_rows];
  int starts[second_num_rows + 1], columns[second_num_values];
  first_parameters(p);
  first_residual(0, X, p, G);
  second_sparsity(0, starts, columns);
  printf("%g %d\n", G[2], starts[second_num_rows] == second_num_values);
  return 0;
}
)");
  folder.run(std::string(DAEDAL_C_COMPILER) + " " + strict +
             " main.c a.c b.c -o both -lm && ./both");
  EXPECT_EQ(folder.read("said"), "0 1\n");
}

// The interface as it stands in the head, in a program that somebody would write.
TEST(SourceForFortran, is_called_by_the_interface_in_its_head) {
  const std::string compiler = DAEDAL_FORTRAN_COMPILER;
  if (compiler.empty()) GTEST_SKIP() << "no Fortran compiler (Debian: gfortran)";
  DerivativeArray array(problems::pendulum(), {.differentiations = 1});
  const std::string text = array.source();
  const std::size_t first = text.find("   integer, parameter ::");
  const std::size_t last = text.find("end interface") + 14;
  const SourceFolder folder;
  folder.write("array.c", text);
  folder.write("caller.f90",
               "program caller\n  use, intrinsic :: iso_c_binding\n  implicit none\n" +
                   text.substr(first, last - first) + R"(
  real(c_double) :: x(Pendulum_num_columns), p(Pendulum_num_parameters)
  real(c_double) :: g(Pendulum_num_rows), j(Pendulum_num_values), product
  integer(c_int) :: starts(Pendulum_num_rows + 1), columns(Pendulum_num_values)
  integer :: i, k
  x = [(0.5d0 + 0.25d0*i, i = 1, Pendulum_num_columns)]
  call Pendulum_parameters(p)
  call Pendulum_sparsity(1, starts, columns)
  call Pendulum_residual(0.5d0, x, p, g)
  print '(*(es25.17))', g
  call Pendulum_jacobian(0.5d0, x, p, g, j)
  do i = 1, Pendulum_num_rows
    product = 0
    do k = starts(i), starts(i + 1) - 1
      product = product + j(k)*x(columns(k))
    end do
    print '(2es25.17)', g(i), product
  end do
end program
)");
  folder.run(std::string(DAEDAL_C_COMPILER) + " -c array.c && " + compiler +
             " -std=f2003 -Wall -Werror caller.f90 array.o -o caller -lm && ./caller");
  std::vector<double> X;
  for (int k = 1; k <= array.num_columns(); ++k) X.push_back(0.5 + 0.25 * k);
  array.linearise(0.5, X);
  std::istringstream said(folder.read("said"));
  double number = 0.0;
  for (int row = 0; row < array.num_rows(); ++row) {
    ASSERT_TRUE(said >> number);
    EXPECT_DOUBLE_EQ(number, array.values()[row]);
  }
  const SparseMatrix& J = array.jacobian();
  for (int row = 0; row < array.num_rows(); ++row) {
    double product = 0.0;
    for (int k = J.row_starts[row]; k < J.row_starts[row + 1]; ++k)
      product += J.values[k] * X[static_cast<std::size_t>(J.columns[k])];
    ASSERT_TRUE(said >> number);
    EXPECT_DOUBLE_EQ(number, array.values()[row]);
    ASSERT_TRUE(said >> number);
    EXPECT_DOUBLE_EQ(number, product);
  }
}

// The head of the file says how much it is.
TEST(SourceSize, on_the_stack_is_less_than_that_of_the_point_for_a_large_model) {
  const DerivativeArray array(problems::tray_column(200), {.differentiations = 2});
  const std::string text = array.source();
  std::smatch found;
  ASSERT_TRUE(std::regex_search(text, found, std::regex("one takes (\\d+) bytes")));
  EXPECT_LT(std::stoi(found[1]), static_cast<int>(sizeof(double)) * array.num_columns());
}

TEST(SourceSize, grows_with_the_entries_of_J_and_not_with_expressions_of_derivatives) {
  const auto size = [](int r) {
    const DerivativeArray array(problems::shuttle(), {.differentiations = r});
    return static_cast<double>(array.source().size()) /
           static_cast<double>(array.jacobian().values.size());
  };
  EXPECT_LT(size(6), 1.5 * size(3));  // characters per entry
}

}  // namespace
}  // namespace daedal::test
