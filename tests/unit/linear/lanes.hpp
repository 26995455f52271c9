// Bits, and lanes of numbers that stand side by side.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace daedal::linear {

inline std::vector<double> of_lane(const std::vector<double>& all, int lane, int lanes) {
  std::vector<double> result;
  for (std::size_t k = lane; k < all.size(); k += lanes) result.push_back(all[k]);
  return result;
}

inline std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

}  // namespace daedal::linear
