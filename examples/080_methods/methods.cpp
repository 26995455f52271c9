// Lesson 8: the classical ways. The same pendulum by dummy derivatives, whose state vector changes
// four times a turn, and by BDF in forms of lower index, in which constraints drift.
#include <cmath>
#include <cstdio>
#include <daedal/daedal.hpp>

int main() {
  daedal::Model model("Pendulum");  // fast enough to go round
  auto x = model.variable("x", {.start = {0, 8}, .fixed = {true, true}});
  auto y = model.variable("y", {.start = {-1, 0}});
  auto lambda = model.variable("lambda");
  model.equation(der(x, 2) == -lambda * x);
  model.equation(der(y, 2) == -lambda * y - 9.81);
  model.equation(sqr(x) + sqr(y) == 1);

  const daedal::Solution exact = daedal::solve(model, {.to = 3.0, .tolerance = 1e-12});
  const auto difference = [&](const daedal::Solution& s) {
    return std::hypot(s.final("x") - exact.final("x"), s.final("y") - exact.final("y"));
  };
  for (const char* method : {"dd-erk", "dd-ida"}) {
    const daedal::Solution s =
        daedal::solve(model, {.to = 3.0, .tolerance = 1e-9, .method = method});
    std::printf("%s: %ld switches, within 1e-6 of taylor: %s\n", method, s.statistics().switches,
                difference(s) < 1e-6 ? "yes" : "no");
    for (const daedal::StateVector& vector : s.state_vectors())
      std::printf("  (%s, %s)  %ld times\n", vector.items[0].c_str(), vector.items[1].c_str(),
                  vector.entries);
  }
  for (int index = 3; index >= 0; --index) {
    const daedal::Solution s = daedal::solve(model, {.to = 3.0,
                                                     .order = 3,
                                                     .method = daedal::Method::bdf,
                                                     .bdf = {.index = index, .fixed_step = 1e-3}});
    const double length = std::abs(std::hypot(s.final("x"), s.final("y")) - 1.0);
    std::printf("bdf, index %d: the length %s\n", index, length < 1e-12 ? "is kept" : "drifts");
  }
}
