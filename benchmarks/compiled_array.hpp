// A derivative array written as C and compiled, called as the array itself is.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "reduce/array/array_source.hpp"
#include "tests/compiled_source.hpp"

namespace daedal::benchmarks {

class CompiledArray {
 public:
  CompiledArray(const reduce::DerivativeArray& array, std::span<const double> parameters)
      : G_(static_cast<std::size_t>(array.num_rows())), J_(array.jacobian().columns.size()) {
    std::string text;
    seconds_to_write_ = wall_seconds([&] { text = source_of(array, parameters); });
    num_text_bytes_ = text.size();
    seconds_to_compile_ =
        wall_seconds([&] { code_ = std::make_unique<test::CompiledSource>(text, "model", "-O2"); });
  }

  void evaluate(const reduce::ArrayPoint& point) {
    code_->residual(point.time, point.values.data(), point.parameters.data(), G_.data());
  }
  void linearise(const reduce::ArrayPoint& point) {
    code_->jacobian(point.time, point.values.data(), point.parameters.data(), G_.data(), J_.data());
  }
  std::span<const double> values() const { return G_; }
  std::span<const double> jacobian_values() const { return J_; }

  std::size_t num_text_bytes() const { return num_text_bytes_; }
  double seconds_to_write() const { return seconds_to_write_; }
  double seconds_to_compile() const { return seconds_to_compile_; }

 private:
  template <typename Work>
  static double wall_seconds(Work work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  // Rows, columns and parameters with their numbers as names.
  static std::string source_of(const reduce::DerivativeArray& array,
                               std::span<const double> parameters) {
    const reduce::SparseRows& J = array.jacobian();
    reduce::ArraySourceNames names{.prefix = "model",
                                   .model = "benchmark",
                                   .rows = {},
                                   .columns = {},
                                   .parameters = {},
                                   .conditions = {},
                                   .column_numbers = {},
                                   .entry_numbers = {},
                                   .row_starts = J.starts,
                                   .entry_columns = J.columns};
    for (int row = 0; row < array.num_rows(); ++row) names.rows.push_back(fmt::format("{}", row));
    for (int column = 0; column < array.num_columns(); ++column) {
      names.columns.push_back(fmt::format("{}", column));
      names.column_numbers.push_back(column);
    }
    for (std::size_t k = 0; k < J.columns.size(); ++k)
      names.entry_numbers.push_back(static_cast<int>(k));
    for (const double value : parameters)
      names.parameters.push_back({fmt::format("{}", names.parameters.size()), value, ""});
    return reduce::array_source(array, names);
  }

  std::vector<double> G_, J_;
  std::unique_ptr<test::CompiledSource> code_;
  std::size_t num_text_bytes_ = 0;
  double seconds_to_write_ = 0.0, seconds_to_compile_ = 0.0;
};

}  // namespace daedal::benchmarks
