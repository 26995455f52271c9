// What a member of an ensemble gives does not depend on how many threads compute, nor on which of
// them takes it.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <system_error>

#include "daedal/ensemble.hpp"
#include "daedal/error.hpp"
#include "threads/several_threads.hpp"

namespace daedal {
namespace {

using test::expect_same_bits;
using test::problem;

std::vector<ParameterValues> values_of(const std::string& parameter, double first, double step) {
  std::vector<ParameterValues> members;
  for (int k = 0; k < 13; ++k) members.push_back({{parameter, first + step * k}});
  return members;
}

// Callbacks hold every thread up for another time, so that members go to other threads each time.
SolveOptions with_uneven_threads(SolveOptions options) {
  auto count = std::make_shared<std::atomic<int>>(0);
  options.on_step = [count](const Progress&) {
    if ((*count)++ % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    return true;
  };
  return options;
}

void expect_same_whatever_the_threads(const Model& model,
                                      const std::vector<ParameterValues>& members,
                                      const SolveOptions& options, int lanes) {
  const auto alone = solve_ensemble(model, members, options, {.lanes = lanes, .threads = 1});
  for (const int threads : {2, 4, 8}) {
    const auto together = solve_ensemble(model, members, with_uneven_threads(options),
                                         {.lanes = lanes, .threads = threads});
    ASSERT_EQ(together.size(), alone.size());
    for (std::size_t k = 0; k < alone.size(); ++k) {
      SCOPED_TRACE(testing::Message() << threads << " threads, member " << k + 1);
      expect_same_bits(together[k], alone[k]);
    }
  }
}

TEST(EnsembleThreads, do_not_change_a_bit) {
  for (const char* kernel : {"interpreter", "auto"})
    for (const int lanes : {1, 4})
      expect_same_whatever_the_threads(problem("pendulum"), values_of("L", 5.0, 0.5),
                                       {.to = 3.0, .tolerance = 1e-9, .kernel = kernel}, lanes);
}

TEST(EnsembleThreads, do_not_change_a_bit_of_models_with_modes) {
  expect_same_whatever_the_threads(problem("bouncing_ball"), values_of("e", 0.5, 0.02), {.to = 2.0},
                                   1);
}

TEST(EnsembleThreads, do_not_change_a_bit_of_members_that_fail) {
  expect_same_whatever_the_threads(problem("blow_up"), std::vector<ParameterValues>(9), {.to = 2.0},
                                   2);
}

TEST(EnsembleThreads, of_several_ensembles_at_once_do_not_meet) {
  const Model model = problem("pendulum");
  const std::vector<ParameterValues> members = values_of("L", 5.0, 0.5);
  const SolveOptions options{.to = 2.0, .use_cache = false};
  const auto alone = solve_ensemble(model, members, options, {.lanes = 2, .threads = 1});
  test::at_once(3, [&](int) {
    const auto all = solve_ensemble(model, members, options, {.lanes = 2, .threads = 3});
    for (std::size_t k = 0; k < alone.size(); ++k) expect_same_bits(all[k], alone[k]);
  });
}

TEST(EnsembleThreads, call_back_one_at_a_time) {
  // Relaxed: the test itself must not put the calls in order.
  std::atomic<int> inside = 0;
  const auto stay_alone = [&] {
    EXPECT_EQ(inside.fetch_add(1, std::memory_order_relaxed), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    inside.fetch_sub(1, std::memory_order_relaxed);
  };
  int num_samples = 0, num_steps = 0;  // not atomic, for the same reason
  SolveOptions options{.to = 5.0};
  options.on_sample = [&](double, std::span<const double>) {
    stay_alone();
    ++num_samples;
  };
  options.on_step = [&](const Progress&) {
    stay_alone();
    ++num_steps;
    return true;
  };
  const auto all = solve_ensemble(problem("pendulum"), values_of("L", 5.0, 0.5), options,
                                  {.lanes = 2, .threads = 4});
  long steps = 0;
  for (const Solution& member : all) steps += member.statistics().steps;
  EXPECT_EQ(num_steps, steps);
  EXPECT_EQ(num_samples, steps + static_cast<long>(all.size()));
}

TEST(EnsembleThreads, pass_on_what_a_callback_throws) {
  SolveOptions options{.to = 2.0};
  options.on_step = [](const Progress& progress) -> bool {
    if (progress.t > 1.0) throw std::runtime_error("enough");
    return true;
  };
  const std::vector<ParameterValues> members(7);
  for (const char* name : {"pendulum", "bouncing_ball"})
    EXPECT_THROW(solve_ensemble(problem(name), members, options, {.lanes = 2, .threads = 4}),
                 std::runtime_error);
}

// Nominals must be greater than 0: members from the third on are wrong, each with another number.
TEST(EnsembleThreads, that_refuse_several_members_tell_of_the_first) {
  const Model model = parse_model(R"(
model Falling
  parameter Real a = 1;
  Real x(start = 1, fixed = true, nominal = a);
equation
  der(x) = -1;
  when x < 0.5 then
    reinit(x, 1);
  end when;
end Falling;)",
                                  "falling.mo");
  std::vector<ParameterValues> members = {{{"a", 1.0}}, {{"a", 2.0}}};
  for (int k = 3; k < 12; ++k) members.push_back({{"a", -1.0 * k}});
  const auto message_with = [&](int threads) -> std::string {
    try {
      (void)solve_ensemble(model, members, {.to = 1.0}, {.threads = threads});
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  const std::string alone = message_with(1);
  EXPECT_NE(alone.find("-3"), std::string::npos) << alone;
  for (int k = 0; k < 20; ++k)
    for (const int threads : {2, 4, 8}) EXPECT_EQ(message_with(threads), alone);
}

// Threads of 2^50 bytes of stack, which no system gives.
class NoThreads {
 public:
  NoThreads() {
    pthread_attr_init(&usual_);
    pthread_getattr_default_np(&usual_);
    pthread_attr_t large = usual_;
    pthread_attr_setstacksize(&large, std::size_t{1} << 50);
    pthread_setattr_default_np(&large);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t usual_;
};

TEST(EnsembleThreads, that_the_system_refuses_are_not_needed) {
  const Model model = problem("pendulum");
  const std::vector<ParameterValues> members = values_of("L", 5.0, 0.5);
  SolveOptions options{.to = 2.0, .use_cache = false};
  options.on_step = [](const Progress&) {  // so that there is time to compile
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return true;
  };
  const auto expected = solve_ensemble(model, members, options, {.lanes = 4, .threads = 2});
  const NoThreads refused;
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
  const auto all = solve_ensemble(model, members, options, {.lanes = 4, .threads = 8});
  for (std::size_t k = 0; k < all.size(); ++k) {
    expect_same_bits(all[k], expected[k]);
    EXPECT_EQ(all[k].kernel(), "interpreter");
  }
}

}  // namespace
}  // namespace daedal
