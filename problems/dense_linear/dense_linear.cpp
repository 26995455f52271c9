#include <cmath>
#include <string>
#include <vector>

#include "problems/problems.hpp"

namespace daedal::problems {

Model dense_linear(int size) {
  Model model("DenseLinear", "linear system with a full mass matrix");
  std::vector<Expression> x;
  for (int j = 1; j <= size; ++j)
    x.push_back(model.variable("x[" + std::to_string(j) + "]", {.start = {1}, .fixed = {true}}));
  const auto rate = [&](int j) { return static_cast<double>(j) / size; };
  for (int i = 1; i <= size; ++i) {
    Expression left = 2 * der(x[i - 1]), right = -2 * rate(i) * x[i - 1];
    for (int j = 1; j <= size; ++j) {
      const double m = std::cos(static_cast<double>(i) + static_cast<double>(j) * j) / size;
      left += m * der(x[j - 1]);
      right -= m * rate(j) * x[j - 1];
    }
    model.equation(left == right);
  }
  model.set_experiment({.start_time = 0, .stop_time = 10, .tolerance = 1e-9});
  return model;
}

}  // namespace daedal::problems
