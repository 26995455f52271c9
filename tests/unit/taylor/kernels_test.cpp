#include "taylor/kernels.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "taylor/rules.hpp"

namespace daedal::taylor {
namespace {

constexpr int num_orders = 12;

// Rows of random coefficients, with room for what kernels read beyond the end.
struct RandomRows {
  std::size_t width;
  std::vector<double> values;

  RandomRows(std::size_t row_width, unsigned seed) : width(row_width) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    values.resize(width * num_orders + kernel_overrun);
    for (double& value : values) value = number(random);
  }
  Rows rows() const { return {values.data(), width}; }
  SeriesView<double> series(std::size_t column) const { return {values.data() + column, width}; }
};

std::vector<const Kernels*> all_kernels() {
  const Kernels* found[3];
  return {found, found + available_kernels(found)};
}

bool are_same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Every width from 1 to 70 takes another mixture of whole and partial vectors. What stands behind
// the row must stay.
class EveryWidth : public ::testing::Test {
 protected:
  template <typename Evaluate, typename Rule>
  void compare(Evaluate evaluate, Rule rule) {
    for (const Kernels* kernels : all_kernels())
      for (std::size_t width = 1; width <= 70; ++width) {
        const RandomRows u(width, 1), v(width, 2), w(width, 3);
        for (int k = 1; k < num_orders; ++k) {
          std::vector<double> z(width + 1, 7.0);
          evaluate(*kernels, k, u, v, w, z.data(), width);
          for (std::size_t i = 0; i < width; ++i)
            ASSERT_TRUE(are_same_bits(z[i], rule(k, u.series(i), v.series(i), w.series(i))))
                << kernels->name << ", width " << width << ", order " << k << ", column " << i;
          ASSERT_EQ(z[width], 7.0) << kernels->name << ", width " << width;
        }
      }
  }
};

using View = SeriesView<double>;

TEST_F(EveryWidth, multiply_gives_the_bits_of_the_rule) {
  compare(
      [](const Kernels& kernels, int k, const RandomRows& u, const RandomRows& v, const RandomRows&,
         double* z, std::size_t width) { kernels.multiply(k, u.rows(), v.rows(), z, width); },
      [](int k, View u, View v, View) { return multiply_rule(k, u, v); });
}

TEST_F(EveryWidth, square_gives_the_bits_of_the_rule) {
  compare(
      [](const Kernels& kernels, int k, const RandomRows& u, const RandomRows&, const RandomRows&,
         double* z, std::size_t width) { kernels.square(k, u.rows(), z, width); },
      [](int k, View u, View, View) { return square_rule(k, u); });
}

std::vector<double> reciprocals(const RandomRows& rows) {
  std::vector<double> result(rows.width + kernel_overrun);
  for (std::size_t i = 0; i < rows.width; ++i) result[i] = 1.0 / rows.values[i];
  return result;
}

TEST_F(EveryWidth, divide_gives_the_bits_of_the_rule) {
  compare(
      [](const Kernels& kernels, int k, const RandomRows& u, const RandomRows& v,
         const RandomRows& w, double* z, std::size_t width) {
        std::vector<double> result(width + kernel_overrun);
        std::copy_n(u.rows().row(k), width, result.data());
        kernels.divide(k, v.rows(), w.rows(), reciprocals(v).data(), result.data(), width);
        std::copy_n(result.data(), width, z);
      },
      [](int k, View u, View v, View w) { return divide_rule(k, u, v, w); });
}

TEST_F(EveryWidth, power_gives_the_bits_of_the_rule) {
  compare(
      [](const Kernels& kernels, int k, const RandomRows& u, const RandomRows& v, const RandomRows&,
         double* z, std::size_t width) {
        kernels.power(k, -1.5, u.rows(), v.rows(), reciprocals(u).data(), z, width);
      },
      [](int k, View u, View v, View) { return power_rule(k, u, -1.5, v); });
}

TEST_F(EveryWidth, function_gives_the_bits_of_the_rule) {
  compare(
      [](const Kernels& kernels, int k, const RandomRows& u, const RandomRows& v, const RandomRows&,
         double* z, std::size_t width) {
        RandomRows weighted = u;
        for (int j = 0; j < num_orders; ++j)
          for (std::size_t i = 0; i < width; ++i) weighted.values[j * width + i] *= j;
        kernels.function(k, weighted.rows(), v.rows(), z, width);
      },
      [](int k, View u, View v, View) { return function_rule(k, u, v); });
}

// p(s) of degree 11 from coefficient `first` on.
TEST(Horner, sums_what_the_definition_says) {
  for (const Kernels* kernels : all_kernels())
    for (std::size_t width = 1; width <= 35; ++width) {
      const RandomRows x(width, 4);
      std::vector<double> weights(num_orders), sum(width + kernel_overrun);
      for (int k = 0; k < num_orders; ++k) weights[k] = 1.0 + k;
      kernels->horner(x.rows(), 2, num_orders - 1, 0.5, weights.data(), sum.data(), width);
      for (std::size_t i = 0; i < width; ++i) {
        long double expected = 0.0;
        for (int k = num_orders - 1; k >= 2; --k)
          expected = weights[k] * static_cast<long double>(x.series(i)[k]) + 0.5L * expected;
        EXPECT_NEAR(sum[i], static_cast<double>(expected), 1e-14) << kernels->name;
      }
    }
}

TEST(Sums, are_the_same_with_and_without_lanes_and_for_any_number_of_terms) {
  constexpr std::uint32_t num_slots = 40;
  for (const Kernels* kernels : all_kernels())
    for (std::uint32_t num_terms = 1; num_terms <= 7; ++num_terms)
      for (const std::size_t lanes : {1, 3, 4, 8, 13}) {
        const RandomRows x(num_slots * lanes, 5), coefficients(100 * lanes, 6);
        std::vector<std::uint32_t> starts = {0}, slots;
        for (std::uint32_t i = 0; i < 5; ++i) {
          for (std::uint32_t a = 0; a < num_terms; ++a)
            slots.push_back((7 * i + 11 * a) % num_slots);
          starts.push_back(static_cast<std::uint32_t>(slots.size()));
        }
        for (const std::uint32_t told : {0U, num_terms}) {
          std::vector<double> z(5 * lanes);
          kernels->sum({starts.data(), slots.data(), coefficients.values.data(), told},
                       x.values.data(), z.data(), 5, lanes);
          for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
              double expected = 0.0;
              for (std::uint32_t a = starts[i]; a < starts[i + 1]; ++a)
                expected +=
                    coefficients.values[a * lanes + lane] * x.values[slots[a] * lanes + lane];
              EXPECT_EQ(z[i * lanes + lane], expected) << kernels->name << ", lanes " << lanes;
            }
        }
      }
}

TEST(Kernels, of_three_instruction_sets_exist_on_this_kind_of_processor) {
  EXPECT_GE(all_kernels().size(), 1U);
  EXPECT_EQ(&best_kernels(), all_kernels().back());
}

}  // namespace
}  // namespace daedal::taylor
