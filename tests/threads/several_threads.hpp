// Work that several threads do at once, and runs compared bit by bit.
#pragma once

#include <gtest/gtest.h>

#include <barrier>
#include <bit>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "daedal/solve.hpp"

namespace daedal::test {

// A model of problems/, as text: the problems in C++ need not be built for these tests.
inline Model problem(const std::string& name) {
  return load_model(DAEDAL_SOURCE_DIR "/problems/" + name + "/" + name + ".mo");
}

// work(0), work(1), ... each in a thread of its own; all begin together.
inline void at_once(int num_threads, const std::function<void(int)>& work) {
  std::barrier begin(num_threads);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(num_threads));
  std::vector<std::thread> threads;
  for (int n = 0; n < num_threads; ++n)
    threads.emplace_back([&, n] {
      begin.arrive_and_wait();
      try {
        work(n);
      } catch (...) {
        failures[static_cast<std::size_t>(n)] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

// -0.0 is not 0.0 here.
inline std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

inline void expect_same_bits(const Solution& one, const Solution& other) {
  EXPECT_EQ(one.status(), other.status());
  EXPECT_EQ(bits_of(one.step_times()), bits_of(other.step_times()));
  EXPECT_EQ(bits_of(one.final()), bits_of(other.final()));
  EXPECT_EQ(one.final_derivatives().size(), other.final_derivatives().size());
  for (std::size_t j = 0; j < one.final_derivatives().size(); ++j)
    EXPECT_EQ(bits_of(one.final_derivatives()[j]), bits_of(other.final_derivatives().at(j)));
  EXPECT_EQ(one.statistics().steps, other.statistics().steps);
  EXPECT_EQ(one.statistics().rejected, other.statistics().rejected);
  EXPECT_EQ(one.statistics().factorisations, other.statistics().factorisations);
  EXPECT_EQ(one.statistics().newton_iterations, other.statistics().newton_iterations);
  EXPECT_EQ(one.statistics().max_condition, other.statistics().max_condition);
  EXPECT_EQ(one.statistics().constraint_residual, other.statistics().constraint_residual);
  ASSERT_EQ(one.events().size(), other.events().size());
  for (std::size_t k = 0; k < one.events().size(); ++k) {
    EXPECT_EQ(one.events()[k].t, other.events()[k].t);
    EXPECT_EQ(one.events()[k].name, other.events()[k].name);
  }
}

}  // namespace daedal::test
