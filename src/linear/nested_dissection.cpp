#include "linear/nested_dissection.hpp"

#include <cholmod.h>

#include <algorithm>
#include <vector>

namespace daedal::linear {

namespace {

// A + A^T of a pattern by columns, of which METIS gets the graph.
class SymmetricPattern {
 public:
  SymmetricPattern(std::vector<int> starts, std::vector<int> rows, cholmod_common& common)
      : common_(common), starts_(std::move(starts)), rows_(std::move(rows)) {
    const std::size_t size = starts_.size() - 1;
    for (std::size_t j = 0; j < size; ++j)
      std::sort(rows_.begin() + starts_[j], rows_.begin() + starts_[j + 1]);
    cholmod_sparse pattern = {};
    pattern.nrow = pattern.ncol = size;
    pattern.nzmax = rows_.size();
    pattern.p = starts_.data();
    pattern.i = rows_.data();
    pattern.itype = CHOLMOD_INT;
    pattern.xtype = CHOLMOD_PATTERN;
    pattern.dtype = CHOLMOD_DOUBLE;
    pattern.sorted = pattern.packed = 1;
    double one[2] = {1.0, 0.0};
    cholmod_sparse* transposed = cholmod_transpose(&pattern, 0, &common_);
    cholmod_sparse* sum = cholmod_add(&pattern, transposed, one, one, 0, 1, &common_);
    upper_ = cholmod_copy(sum, 1, 0, &common_);
    cholmod_free_sparse(&sum, &common_);
    cholmod_free_sparse(&transposed, &common_);
  }
  ~SymmetricPattern() { cholmod_free_sparse(&upper_, &common_); }
  SymmetricPattern(const SymmetricPattern&) = delete;
  SymmetricPattern& operator=(const SymmetricPattern&) = delete;

  bool dissect(std::vector<int>& order) {
    return upper_ != nullptr && cholmod_metis(upper_, nullptr, 0, 1, order.data(), &common_) != 0;
  }

 private:
  cholmod_common& common_;
  std::vector<int> starts_, rows_;
  cholmod_sparse* upper_ = nullptr;
};

}  // namespace

template <typename Index>
bool dissect(std::span<const Index> starts, const Index* rows, Index* order) {
  cholmod_common common;
  cholmod_start(&common);
  std::vector<int> found(starts.size() - 1);
  const bool is_found =
      SymmetricPattern({starts.begin(), starts.end()}, {rows, rows + starts.back()}, common)
          .dissect(found);
  cholmod_finish(&common);
  std::copy(found.begin(), found.end(), order);
  return is_found;
}

template bool dissect<int>(std::span<const int>, const int*, int*);
template bool dissect<long>(std::span<const long>, const long*, long*);

}  // namespace daedal::linear
