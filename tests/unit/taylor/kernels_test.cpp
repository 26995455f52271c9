#include "taylor/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
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
      std::vector<double> weights(num_orders), sum(width + kernel_overrun), s(sum.size());
      for (int k = 0; k < num_orders; ++k) weights[k] = 1.0 + k;
      for (std::size_t i = 0; i < width; ++i) s[i] = 0.5 + 0.125 * static_cast<double>(i % 3);
      kernels->horner(x.rows(), 2, num_orders - 1, s.data(), weights.data(), sum.data(), width);
      for (std::size_t i = 0; i < width; ++i) {
        long double expected = 0.0;
        for (int k = num_orders - 1; k >= 2; --k)
          expected = weights[k] * static_cast<long double>(x.series(i)[k]) + s[i] * expected;
        EXPECT_NEAR(sum[i], static_cast<double>(expected), 1e-14) << kernels->name;
      }
    }
}

// The sum of the sizes of all terms but the first, in the order of Horner's rule, less a part of
// the distance from the edge: the same bits for every instruction set, whether series stand side by
// side or apart.
TEST(Excess, is_what_terms_exceed_a_part_of_the_distance_by) {
  const RandomRows x(40, 9);
  constexpr double s = 0.7, part = 0.85;
  for (const Kernels* kernels : all_kernels())
    for (std::size_t apart = 1; apart <= 13; ++apart)
      for (std::size_t count = 1; count <= 20; ++count) {
        std::vector<std::size_t> places;
        for (std::size_t n = 0; n < count; ++n) places.push_back((n / 5 + n * apart) % 40);
        std::vector<double> edges(count + kernel_overrun, 0.0), excess(count + 1, 7.0);
        for (std::size_t n = 0; n < count; ++n) edges[n] = 0.1 * static_cast<double>(n);
        kernels->excess({.x = x.rows(),
                         .last = num_orders - 1,
                         .places = places.data(),
                         .edges = edges.data(),
                         .part = part},
                        count, s, excess.data());
        for (std::size_t n = 0; n < count; ++n) {
          double sum = 0.0;
          for (int k = num_orders - 1; k > 0; --k)
            sum = s * (sum + std::abs(x.series(places[n])[k]));
          sum -= part * std::abs(x.series(places[n])[0] - edges[n]);
          EXPECT_TRUE(are_same_bits(excess[n], sum)) << kernels->name << ", " << apart << ", " << n;
        }
        EXPECT_EQ(excess[count], 7.0) << kernels->name;
      }
}

// Whether series come to their end, one at a time.
double settle_measure(SeriesView<double> x, int last, double s, double part, double still) {
  const int first_late = last < 5 ? 3 : last - 2;
  double motion = 0.0, end = 0.0, power = 1.0;
  for (int k = std::min(last, 2); k > 0; --k) motion = s * (motion + std::abs(x[k]));
  for (int k = last; k > first_late; --k) end = s * (end + std::abs(x[k]));
  for (int k = first_late; k > 0; --k) power *= s;
  if (last >= first_late) end = power * (end + std::abs(x[first_late]));
  return std::max(end - part * motion, still * std::abs(x[0]) - motion);
}

TEST(Settle, compares_last_terms_with_first_ones_and_says_whether_all_series_end) {
  const RandomRows x(40, 9);
  constexpr double s = 0.7, still = 0.01;
  for (const Kernels* kernels : all_kernels())
    for (const double part : {0.01, 100.0})
      for (const int last : {1, 3, 4, num_orders - 1})
        for (std::size_t count = 1; count <= 20; ++count) {
          std::vector<std::size_t> places;
          for (std::size_t n = 0; n < count; ++n)
            places.push_back((n / 5 + n * (1 + count % 3)) % 40);
          std::vector<double> measures(count + 1, 7.0);
          const bool are_settled = kernels->settle(
              {.x = x.rows(), .last = last, .places = places.data(), .part = part, .still = still},
              count, s, measures.data());
          bool expected = true;
          for (std::size_t n = 0; n < count; ++n) {
            const double measure = settle_measure(x.series(places[n]), last, s, part, still);
            expected = expected && measure < 0.0;
            EXPECT_TRUE(are_same_bits(measures[n], measure)) << kernels->name << ", " << n;
          }
          EXPECT_EQ(are_settled, expected) << kernels->name;
          EXPECT_EQ(measures[count], 7.0) << kernels->name;
        }
}

// The double sums and what they lost give the sum in twice the precision.
TEST(Predict, loses_nothing) {
  for (const Kernels* kernels : all_kernels())
    for (std::size_t width = 1; width <= 35; ++width) {
      const RandomRows x(width, 4), factors(width, 5);
      std::vector<double> predicted(width + kernel_overrun, -7.0), lost = predicted,
                                                                   magnitude = predicted;
      const Rows row = x.rows();
      kernels->predict({.x = row.row(0),
                        .rest = row.row(1),
                        .s = row.row(2),
                        .lost = row.row(3),
                        .factor = factors.rows().row(0),
                        .predicted = predicted.data(),
                        .lost_now = lost.data(),
                        .magnitude = magnitude.data()},
                       width);
      EXPECT_EQ(predicted[width], -7.0);
      for (std::size_t i = 0; i < width; ++i) {
        const auto series = x.series(i);
        const double factor = factors.series(i)[0], change = series[1] * series[2];
        const long double exact = static_cast<long double>(series[0]) + (change + series[3]);
        EXPECT_NEAR(predicted[i], static_cast<double>(factor * exact), 1e-15);
        EXPECT_NEAR(lost[i],
                    static_cast<double>(factor * (exact - (series[0] + (change + series[3])))),
                    1e-30);
        EXPECT_EQ(magnitude[i], factor * (std::abs(series[0]) + std::abs(change)));
      }
    }
}

TEST(Largest, ratio_and_error_are_those_of_the_worst_column_of_a_lane) {
  for (const Kernels* kernels : all_kernels())
    for (const std::size_t lanes : {1, 2, 4, 7, 8, 13})
      for (std::size_t columns = 1; columns <= 20; ++columns) {
        const RandomRows x(columns * lanes, 4);
        const Rows rows = x.rows();
        std::vector<double> scale(columns * lanes + kernel_overrun, 0.5), noise(scale);
        for (std::size_t i = 0; i < scale.size(); ++i) scale[i] += 0.1 * static_cast<double>(i % 7);
        std::vector<double> power(lanes + kernel_overrun), allowed(power);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          power[lane] = 1.0 + static_cast<double>(lane);
          allowed[lane] = 2.0 + static_cast<double>(lane);
        }
        const Comparison comparison = {.found = rows.row(0),
                                       .predicted = rows.row(1),
                                       .scale = scale.data(),
                                       .noise = noise.data(),
                                       .magnitude = scale.data(),
                                       .power = power.data(),
                                       .allowed = allowed.data()};
        std::vector<double> ratio(lanes + kernel_overrun, 0.0), error(ratio);
        kernels->largest_ratio(rows.row(0), scale.data(), columns, lanes, ratio.data());
        kernels->largest_error(comparison, columns, lanes, error.data());
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          double worst_ratio = 0.0, worst_error = 0.0;
          for (std::size_t i = lane; i < columns * lanes; i += lanes) {
            const double difference = std::abs(rows.row(0)[i] - rows.row(1)[i]);
            worst_ratio = std::max(worst_ratio, std::abs(rows.row(0)[i]) / scale[i]);
            worst_error =
                std::max(worst_error, power[lane] * difference /
                                          (allowed[lane] * scale[i] + noise[i] * scale[i]));
          }
          EXPECT_EQ(ratio[lane], worst_ratio);
          EXPECT_EQ(error[lane], worst_error);
        }
      }
}

TEST(Largest, error_of_what_is_not_finite_is_infinite_and_stays_so) {
  for (const Kernels* kernels : all_kernels())
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
      for (const std::size_t lanes : {1, 3}) {
        constexpr std::size_t columns = 11;
        std::vector<double> found(columns * lanes + kernel_overrun, 2.0), other(found.size(), 1.0);
        found[4 * lanes] = bad;
        std::vector<double> error(lanes + kernel_overrun, 0.0);
        kernels->largest_error({.found = found.data(),
                                .predicted = other.data(),
                                .scale = other.data(),
                                .noise = other.data(),
                                .magnitude = other.data(),
                                .power = other.data(),
                                .allowed = other.data()},
                               columns, lanes, error.data());
        EXPECT_TRUE(std::isinf(error[0])) << kernels->name << " " << lanes;
        for (std::size_t lane = 1; lane < lanes; ++lane) EXPECT_EQ(error[lane], 0.5);
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
