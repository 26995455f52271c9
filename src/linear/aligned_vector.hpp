// Numbers from the beginning of a cache line on, which vectors of a processor read faster.
#pragma once

#include <bit>
#include <cstddef>
#include <new>
#include <vector>

namespace daedal::linear {

inline constexpr std::size_t cache_line = 64;

template <typename T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <typename Other>
  LineAllocator(const LineAllocator<Other>&) {}  // NOLINT: the standard asks for the conversion

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(cache_line)));
  }
  void deallocate(T* at, std::size_t) { ::operator delete(at, std::align_val_t(cache_line)); }
  friend bool operator==(LineAllocator, LineAllocator) { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, LineAllocator<T>>;

// Rows of doubles this far apart begin where vectors are read fast: at a line, or a part of one.
inline std::size_t padded_width(std::size_t width) {
  constexpr std::size_t line = cache_line / sizeof(double);
  return width < line ? std::bit_ceil(width) : (width + line - 1) / line * line;
}

}  // namespace daedal::linear
