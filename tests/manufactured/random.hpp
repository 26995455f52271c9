// Random choices that are the same on every machine: the standard fixes the engine, not the
// distributions. It does not fix the order of operands either: one draw in an expression, no more.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace daedal::manufactured {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // 0 .. count - 1
  int pick(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
  int between(int first, int last) { return first + pick(last - first + 1); }
  bool chance(double probability) { return uniform() < probability; }
  // Multiples of 0.001, so that equations can be read.
  double number(double first, double last) {
    return static_cast<double>(between(static_cast<int>(first * 1000.0 + (first < 0 ? -0.5 : 0.5)),
                                       static_cast<int>(last * 1000.0 + 0.5))) /
           1000.0;
  }
  double signed_number(double smallest, double largest) {
    const double size = number(smallest, largest);
    return chance(0.5) ? size : -size;
  }
  template <class Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t k = items.size(); k > 1; --k)
      std::swap(items[k - 1], items[static_cast<std::size_t>(pick(static_cast<int>(k)))]);
  }

 private:
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  std::mt19937_64 engine_;
};

}  // namespace daedal::manufactured
