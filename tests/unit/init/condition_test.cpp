#include "init/condition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace daedal::init {
namespace {

std::vector<Condition> initial_equations(unsigned set) {
  std::vector<Condition> some;
  for (int k = 0; k < 8; ++k)
    if ((set >> k & 1U) != 0) some.push_back({-1, 0, k});
  return some;
}

unsigned as_set(const std::vector<Condition>& conditions) {
  unsigned set = 0;
  for (const Condition& condition : conditions) set |= 1U << condition.initial_equation;
  return set;
}

TEST(MinimalConflict, is_found_exactly_whichever_conditions_it_consists_of) {
  for (unsigned conflict = 1; conflict < 256; ++conflict) {
    const auto can_hold = [&](const std::vector<Condition>& some) {
      return (as_set(some) & conflict) != conflict;
    };
    EXPECT_EQ(as_set(minimal_conflict(initial_equations(255), can_hold)), conflict);
  }
}

TEST(MinimalConflict, is_one_of_several_and_minimal) {
  const unsigned conflicts[] = {0b00000111, 0b11000001, 0b00110000};
  const auto can_hold = [&](const std::vector<Condition>& some) {
    return std::none_of(std::begin(conflicts), std::end(conflicts),
                        [&](unsigned c) { return (as_set(some) & c) == c; });
  };
  const unsigned found = as_set(minimal_conflict(initial_equations(255), can_hold));
  EXPECT_THAT(conflicts, testing::Contains(found));
}

TEST(MinimalConflict, asks_few_questions_for_a_small_conflict_among_many_conditions) {
  std::vector<Condition> many;
  for (int k = 0; k < 1000; ++k) many.push_back({-1, 0, k});
  int num_questions = 0;
  const auto can_hold = [&](const std::vector<Condition>& some) {
    ++num_questions;
    const auto has = [&](int k) {
      return std::find(some.begin(), some.end(), Condition{-1, 0, k}) != some.end();
    };
    return !has(17) || !has(803);
  };
  EXPECT_EQ(minimal_conflict(many, can_hold).size(), 2U);
  EXPECT_LE(num_questions, 2 * 2 * 10 + 2 * 2);  // 2 k log2(n/k) + 2 k
}

}  // namespace
}  // namespace daedal::init
