// How long it takes to record, analyse and print a model, and how that grows with the number of
// equations.
//
// Four families, each from model text to JSON: an explicit second-order chain (n blocks), a chain
// whose index grows with n (linear set no. 2 of problems/linear_high_index), a nonlinear algebraic
// system that is one block, and many small blocks. The exponent is log(time ratio)/log(size ratio):
// 1 is linear.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "daedal/analysis.hpp"

namespace {

struct Family {
  const char* name;
  const char* text;
};

const std::vector<Family> families = {
    {"second-order chain, index 0", R"(model Spring
  parameter Integer n = 10;
  Real x[n](each start = {0.1, 0});
equation
  der(x[1], 2) = x[2] - 2*x[1] - 0.1*sin(x[1]);
  for i in 2:n-1 loop
    der(x[i], 2) = x[i-1] - 2*x[i] + x[i+1] - 0.1*sin(x[i]);
  end for;
  der(x[n], 2) = x[n-1] - 2*x[n];
end Spring;)"},
    {"chain of index n", R"(model Chain
  parameter Integer n = 10;
  Real x[n];
equation
  for i in 1:n-1 loop
    der(x[i+1]) + x[i] = sin(time);
  end for;
  x[n] = cos(time);
end Chain;)"},
    {"one nonlinear block", R"(model Block
  parameter Integer n = 10;
  Real x[n];
equation
  2*x[1] + x[2]^3 = time;
  for i in 2:n-1 loop
    x[i-1] + 4*x[i] + exp(x[i+1]) = sin(time);
  end for;
  x[n] + x[n-1]*x[n] = cos(time);
end Block;)"},
    {"pendula in a row, index 3", R"(model Pendula
  parameter Integer n = 12;
  parameter Integer m = div(n, 3);
  Real x[m](each start = {1, 0}), y[m](each start = {0, 0}), lambda[m];
equation
  for k in 1:m loop
    der(x[k], 2) + x[k]*lambda[k] = 0;
    der(y[k], 2) + y[k]*lambda[k] = 1;
    x[k]^2 + y[k]^2 = 1;
  end for;
end Pendula;)"},
};

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

struct Times {
  double record = 0, analyse = 0, print = 0;
  double total() const { return record + analyse + print; }
};

Times measure(const Family& family, int n) {
  Times times;
  std::unique_ptr<daedal::Model> model;
  daedal::Analysis analysis;
  std::size_t length = 0;
  times.record = seconds([&] {
    model = std::make_unique<daedal::Model>(
        daedal::parse_model(family.text, family.name, {{"n", static_cast<double>(n)}}));
  });
  times.analyse = seconds([&] { analysis = daedal::analyze(*model); });
  times.print = seconds([&] { length = daedal::to_json(analysis).size(); });
  if (analysis.status != daedal::AnalysisStatus::ok || length == 0)
    fmt::print("  {}: unexpected status {}\n", family.name, to_string(analysis.status));
  return times;
}

}  // namespace

int main() {
  fmt::print("{:<28} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "family", "n", "record s", "analyse s",
             "print s", "total s", "exponent");
  for (const Family& family : families) {
    double before = 0;
    for (const int n : {1000, 10000, 100000}) {
      const Times t = measure(family, n);
      const std::string exponent =
          before > 0 ? fmt::format("{:.2f}", std::log10(t.total() / before)) : "";
      fmt::print("{:<28} {:>8} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9}\n", family.name, n,
                 t.record, t.analyse, t.print, t.total(), exponent);
      before = t.total();
    }
  }
  fmt::print("peak memory of the whole run: {:.0f} MB\n", peak_megabytes());
}
