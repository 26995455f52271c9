// Rules S1-S3 of docs/theory/linear-solves.md.
#include "linear/scheduled_lu.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "linear/elimination_order.hpp"
#include "unit/linear/lanes.hpp"

namespace daedal::linear {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Matrix {
  int size = 0;
  std::vector<Place> places = {};
  std::vector<double> values = {};

  void add(int i, int j, double value, bool is_steady = false) {
    places.push_back({i, j, is_steady});
    values.push_back(value);
  }
};

// Rods in the plane, joined to a chain that hangs from a fixed point: masses coupled to their
// neighbours, and a multiplier for the length of each rod. Unknowns x_i, y_i, lambda_i in turn.
Matrix chain(int num_rods, double angle, double bend, double mass = 1.0) {
  Matrix m{.size = 3 * num_rods};
  for (int i = 0; i < num_rods; ++i) {
    const double gx = 2.0 * std::sin(angle + bend * i), gy = -2.0 * std::cos(angle + bend * i);
    for (int c = 0; c < 2; ++c) {
      const int here = 3 * i + c, length = 3 * i + 2;
      const double g = c == 0 ? gx : gy;
      m.add(here, here, mass * 2.0 / 3.0, true);
      m.add(here, length, g);
      m.add(length, here, g);
      if (i == 0) continue;
      const int before = here - 3;
      m.add(here, before, mass / 6.0);
      m.add(before, here, mass / 6.0);
      m.add(before, length, -g);
      m.add(length, before, -g);
    }
  }
  return m;
}

// A few entries in each row anywhere; regular through a large entry off the diagonal.
Matrix scattered(int size, unsigned seed) {
  std::mt19937 random(7), numbers(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Matrix m{.size = size};
  for (int i = 0; i < size; ++i) {
    m.add(i, (i + 1) % size, 2.0 + number(numbers));
    m.add(i, i, number(numbers));
    for (int k = 0; k < 2; ++k)
      m.add(i, static_cast<int>(random() % size), number(numbers));  // some places twice
  }
  return m;
}

std::vector<double> right_side(int size) {
  std::vector<double> b(size);
  for (int k = 0; k < size; ++k) b[k] = std::sin(1.0 + 3.0 * k);
  return b;
}

// Largest |b - A x| of a row relative to its |A| |x| + |b|, in long double.
double backward_error(const Matrix& m, const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<long double> rest(b.begin(), b.end()), terms(m.size);
  for (int i = 0; i < m.size; ++i) terms[i] = std::abs(rest[i]);
  for (std::size_t k = 0; k < m.places.size(); ++k) {
    const long double term = static_cast<long double>(m.values[k]) * x[m.places[k].column];
    rest[m.places[k].row] -= term;
    terms[m.places[k].row] += std::abs(term);
  }
  long double worst = 0.0L;
  for (int i = 0; i < m.size; ++i) worst = std::max(worst, std::abs(rest[i]) / terms[i]);
  return static_cast<double>(worst);
}

std::vector<double> solved(const ScheduledLu& solver, std::vector<double> b) {
  solver.solve(b);
  return b;
}

// Pivots are kept until the factors grow by 1e3; errors grow as they do. The factor 4 is measured
// and doubled.
constexpr double largest_error = 4e3 * epsilon;

TEST(ScheduledLu, solves_scattered_systems_to_rounding) {
  for (const int size : {2, 25, 60, 400}) {
    ScheduledLu solver(size, scattered(size, 0).places, 1);
    for (unsigned seed = 0; seed < 10; ++seed) {
      const Matrix m = scattered(size, seed);
      ASSERT_TRUE(solver.factorise(m.values));
      const std::vector<double> b = right_side(size);
      EXPECT_LT(backward_error(m, solved(solver, b), b), largest_error) << size << " " << seed;
    }
  }
}

TEST(ScheduledLu, solves_chains_whatever_their_shape_to_rounding) {
  for (const int num_rods : {9, 20, 300}) {
    ScheduledLu solver(3 * num_rods, chain(num_rods, 0.0, 0.0).places, 1);
    for (const double bend : {0.0, 1e-9, 1e-3, 0.3, 2.0, 3.14159}) {
      for (const double angle : {0.0, 0.5, 1.5707963, 3.0}) {
        const Matrix m = chain(num_rods, angle, bend);
        ASSERT_TRUE(solver.factorise(m.values)) << bend << " " << angle;
        const std::vector<double> b = right_side(m.size);
        EXPECT_LT(backward_error(m, solved(solver, b), b), largest_error) << bend << " " << angle;
      }
    }
  }
}

// Masses are steady, and a multiplier follows when all that it holds is eliminated: then its pivot
// is -g' M^-1 g with a positive definite M, whatever the directions of the rods.
TEST(ScheduledLu, keeps_its_pivots_while_a_chain_turns_and_curls) {
  for (const double mass : {1e-6, 1.0, 1e6}) {
    ScheduledLu solver(60, chain(20, 0.0, 0.0).places, 1);
    ASSERT_TRUE(solver.factorise(chain(20, 0.3, 0.1, mass).values));
    const int version = solver.schedule(0)->version;
    for (int step = 1; step <= 200; ++step)
      ASSERT_TRUE(solver.factorise(chain(20, 0.3 + 0.05 * step, 0.02 * step, mass).values));
    EXPECT_EQ(solver.schedule(0)->version, version) << mass;
  }
}

// Point masses on rods, every second one light: its mass is no pivot beside the rods.
TEST(ScheduledLu, solves_chains_with_light_joints_to_rounding) {
  for (const int num_rods : {4, 8, 12}) {
    for (const double light : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 0.0}) {
      Matrix m{.size = 3 * num_rods};
      for (int i = 0; i < num_rods; ++i) {
        const double g[2] = {std::sin(0.4 + 0.3 * i), -std::cos(0.4 + 0.3 * i)};
        for (int c = 0; c < 2; ++c) {
          const int here = 3 * i + c, length = 3 * i + 2;
          m.add(here, here, i % 2 == 0 ? light : 1.0, true);
          m.add(here, length, g[c]);
          m.add(length, here, g[c]);
          if (i == 0) continue;
          m.add(here - 3, length, -g[c]);
          m.add(length, here - 3, -g[c]);
        }
      }
      ScheduledLu solver(m.size, m.places, 1);
      ASSERT_TRUE(solver.factorise(m.values)) << num_rods << " " << light;
      const std::vector<double> b = right_side(m.size);
      EXPECT_LT(backward_error(m, solved(solver, b), b), 100 * epsilon) << num_rods << " " << light;
      EXPECT_LT(solver.condition(0), 1e6) << num_rods << " " << light;
    }
  }
}

// A lane that is not due may hold anything: its pivots stay.
TEST(ScheduledLu, leaves_the_pivots_of_lanes_that_are_not_due) {
  const Matrix m = scattered(30, 1);
  std::vector<double> values;
  for (const double value : m.values) values.insert(values.end(), {value, value});
  ScheduledLu solver(m.size, m.places, 2);
  ASSERT_TRUE(solver.factorise(values));
  const int version = solver.schedule(1)->version;
  for (std::size_t k = 0; k < m.places.size(); ++k)
    values[2 * k + 1] = m.places[k].row == m.places[k].column ? 3.0 : 1e-12 * m.values[k];
  const char only_first[] = {1, 0};
  ASSERT_TRUE(solver.factorise(values, only_first));
  EXPECT_EQ(solver.schedule(1)->version, version);
  ASSERT_TRUE(solver.factorise(values));
  EXPECT_NE(solver.schedule(1)->version, version);
}

TEST(ScheduledLu, changes_its_pivots_when_they_vanish) {
  Matrix m = scattered(30, 1);
  ScheduledLu other(30, m.places, 1);
  ASSERT_TRUE(other.factorise(m.values));
  const int first_version = other.schedule(0)->version;
  for (std::size_t k = 0; k < m.places.size(); ++k)
    m.values[k] = m.places[k].row == m.places[k].column ? 3.0 : 1e-12 * m.values[k];
  ASSERT_TRUE(other.factorise(m.values));
  EXPECT_NE(other.schedule(0)->version, first_version);
  const std::vector<double> b = right_side(30);
  EXPECT_LT(backward_error(m, solved(other, b), b), 10 * epsilon);
}

// What a compiler of schedules relies on.
TEST(ScheduledLu, does_what_its_schedule_says_bit_by_bit) {
  const Matrix m = chain(20, 0.4, 0.2);
  ScheduledLu solver(m.size, m.places, 1);
  ASSERT_TRUE(solver.factorise(m.values));
  const LuSchedule& s = *solver.schedule(0);
  const std::vector<double> b = right_side(m.size);
  std::vector<double> y(m.size), z(m.size);
  const auto substitute = [&](const LuSchedule::Substitution& chunks, int first_slot,
                              std::vector<double>& x) {
    for (std::size_t slot = 0; slot < chunks.source.size(); ++slot) {
      const double factor = solver.factor(0, first_slot + static_cast<int>(slot));
      x[chunks.row[slot / LuSchedule::chunk]] -= factor * x[chunks.source[slot]];
    }
  };
  for (int i = 0; i < m.size; ++i) y[i] = solver.scale(0, i) * b[i];
  substitute(s.lower, 0, y);
  for (int k = 0; k < m.size; ++k)
    z[s.column_of[k]] = y[s.row_of[k]] * solver.factor(0, s.diagonal() + k);
  substitute(s.upper, s.num_lower, z);
  EXPECT_EQ(z, solved(solver, b));
}

TEST(ScheduledLu, of_a_chain_has_operations_in_proportion_to_its_length_and_little_depth) {
  const auto schedule_of = [](int num_rods) {
    const Matrix m = chain(num_rods, 0.4, 0.2);
    ScheduledLu solver(m.size, m.places, 1);
    EXPECT_TRUE(solver.factorise(m.values));
    return *solver.schedule(0);
  };
  const LuSchedule shorter = schedule_of(100), longer = schedule_of(1000);
  EXPECT_LT(longer.to.size(), 10.5 * static_cast<double>(shorter.to.size()));
  EXPECT_LT(longer.num_slots(), 10.5 * shorter.num_slots());
  EXPECT_LT(longer.levels.size(), 0.35 * longer.size);
}

// [m g 0; g 0 g; 0 g m] with m steady: the multiplier in the middle comes last.
TEST(EliminationOrder, takes_what_is_steady_before_what_is_made_of_it) {
  const std::vector<Place> places = {{0, 0, true}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 2, true}};
  const EliminationOrder order = find_elimination_order(3, places);
  EXPECT_EQ(order.row_of, (std::vector<std::int32_t>{0, 2, 1}));
  EXPECT_EQ(order.column_of, (std::vector<std::int32_t>{0, 2, 1}));
}

TEST(EliminationOrder, goes_through_an_arrow_without_fill_in) {
  std::vector<Place> places = {{0, 0}};
  for (int k = 1; k < 40; ++k)
    for (const Place& place : {Place{0, k}, Place{k, 0}, Place{k, k}}) places.push_back(place);
  const EliminationOrder order = find_elimination_order(40, places);
  ASSERT_EQ(order.row_of.size(), 40u);
  const LuSchedule schedule = make_lu_schedule(40, places, order.row_of, order.column_of);
  EXPECT_EQ(schedule.lower_slot.size(), 39u);
  EXPECT_EQ(schedule.scaled.size(), 39u);
}

TEST(EliminationOrder, stops_where_the_pattern_is_singular) {
  EXPECT_LT(find_elimination_order(3, std::vector<Place>{{0, 0}, {1, 0}, {2, 2}}).row_of.size(),
            3u);
}

// Lanes turn at different speeds, so that their pivots differ; now and then one is singular or not
// finite.
std::vector<double> batch_values(int num_rods, int lanes, int round) {
  std::vector<Matrix> matrices;
  for (int lane = 0; lane < lanes; ++lane) {
    Matrix m = chain(num_rods, 0.1 * lane + 0.3 * round * (lane % 3), 0.05 * (lane % 4));
    if (lane == 2 && round == 1) m.values[5] = std::nan("");
    if (lane == 4 && round != 2)
      for (std::size_t k = 0; k < m.values.size(); ++k)
        if (m.places[k].row == 2) m.values[k] = 0.0;
    matrices.push_back(std::move(m));
  }
  std::vector<double> values;
  for (std::size_t k = 0; k < matrices[0].values.size(); ++k)
    for (const Matrix& m : matrices) values.push_back(m.values[k]);
  return values;
}

TEST(ScheduledLu, gives_a_lane_the_bits_it_has_alone) {
  constexpr int num_rods = 12, size = 3 * num_rods;
  const std::vector<Place> places = chain(num_rods, 0.0, 0.0).places;
  for (const int lanes : {2, 4, 7, 8, 19}) {
    ScheduledLu together(size, places, lanes);
    std::vector<std::unique_ptr<ScheduledLu>> alone;
    for (int lane = 0; lane < lanes; ++lane)
      alone.push_back(std::make_unique<ScheduledLu>(size, places, 1));
    for (int round = 0; round < 5; ++round) {
      const std::vector<double> values = batch_values(num_rods, lanes, round);
      together.factorise(values);
      const std::vector<double> b = right_side(size * lanes), x = solved(together, b);
      for (int lane = 0; lane < lanes; ++lane) {
        const bool is_regular = alone[lane]->factorise(of_lane(values, lane, lanes));
        ASSERT_EQ(together.is_regular(lane), is_regular)
            << lane << " of " << lanes << ", " << round;
        if (!is_regular) continue;
        EXPECT_EQ(bits_of(of_lane(x, lane, lanes)),
                  bits_of(solved(*alone[lane], of_lane(b, lane, lanes))))
            << lane << " of " << lanes << ", " << round;
        EXPECT_EQ(together.condition(lane), alone[lane]->condition(0));
        EXPECT_EQ(together.determinant_sign(lane), alone[lane]->determinant_sign(0));
      }
    }
  }
}

TEST(ScheduledLu, gives_the_same_bits_with_every_instruction_set) {
  const Matrix m = scattered(80, 3);
  for (const int lanes : {1, 3, 8}) {
    std::vector<double> values;
    for (const double value : m.values) values.insert(values.end(), lanes, value);
    std::vector<SparseKernels (*)(int)> kernels = {baseline::sparse_kernels, sparse_kernels};
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") != 0) kernels.push_back(avx2::sparse_kernels);
#endif
    std::vector<std::vector<std::uint64_t>> results;
    for (const auto kernel : kernels) {
      ScheduledLu solver(m.size, m.places, lanes, kernel);
      ASSERT_TRUE(solver.factorise(values));
      results.push_back(bits_of(solved(solver, right_side(m.size * lanes))));
    }
    for (const auto& result : results) EXPECT_EQ(result, results.front());
  }
}

}  // namespace
}  // namespace daedal::linear
