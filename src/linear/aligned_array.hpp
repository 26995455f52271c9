// Numbers at the start of a cache line, zero at first, of a size that stays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace daedal::linear {

template <typename Number>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size)
      : first_(static_cast<Number*>(::operator new(size * sizeof(Number), alignment))) {
    std::uninitialized_fill_n(first_.get(), size, Number{});
  }
  Number* data() { return first_.get(); }
  const Number* data() const { return first_.get(); }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(Number* first) const { ::operator delete(first, alignment); }
  };
  std::unique_ptr<Number, Free> first_;
};

}  // namespace daedal::linear
