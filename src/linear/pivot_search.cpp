#include "linear/pivot_search.hpp"

#include <klu.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "linear/elimination_order.hpp"
#include "linear/lu_schedule.hpp"
#include "linear/sparse_kernels.hpp"

namespace daedal::linear {

// The pivot that the order intends is taken if it is at least this part of the largest entry in its
// column. KLU's default of 1e-3 costs up to seven digits on augmented systems.
constexpr double pivot_tolerance = 0.5;

struct PivotSearch::Klu {
  klu_common common{};
  klu_symbolic* symbolic = nullptr;

  Klu() {
    klu_defaults(&common);
    common.tol = pivot_tolerance;
    common.scale = -1;  // it is done here
  }
  ~Klu() { klu_free_symbolic(&symbolic, &common); }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;
};

PivotSearch::PivotSearch(int size, const std::vector<Place>& places)
    : entry_of(places.size()), size_(size), is_loose_(size, 0), klu_(std::make_unique<Klu>()) {
  std::vector<std::int32_t> order(places.size());
  for (std::size_t k = 0; k < places.size(); ++k) order[k] = static_cast<std::int32_t>(k);
  const auto key = [&](int k) { return std::pair(places[k].column, places[k].row); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  start_.assign(size_ + 1, 0);
  for (std::size_t n = 0; n < order.size(); ++n) {
    const int k = order[n];
    const bool is_repeated = n > 0 && key(order[n - 1]) == key(k);
    if (is_repeated) {
      entries_.back().is_steady = entries_.back().is_steady && places[k].is_steady;
    } else {
      entries_.push_back(places[k]);
      row_.push_back(places[k].row);
      ++start_[places[k].column + 1];
    }
    entry_of[k] = static_cast<std::int32_t>(entries_.size()) - 1;
    if (!is_repeated) continue;
    repeated.push_back(k);
    repeated_entry.push_back(entry_of[k]);
  }
  for (const std::int32_t k : repeated) entry_of[k] = static_cast<std::int32_t>(entries_.size());
  for (int k = 0; k < size_; ++k) start_[k + 1] += start_[k];
  choose_order();
}

// KLU's order, or that of least fill-in if its solves are quicker.
void PivotSearch::choose_order() {
  klu_->symbolic = klu_analyze(size_, start_.data(), row_.data(), &klu_->common);
  DAEDAL_CHECK(klu_->symbolic != nullptr);
  EliminationOrder order = find_elimination_order(size_, entries_);
  if (order.row_of.size() < static_cast<std::size_t>(size_)) return;
  const double cost =
      substitution_cost(size_, entries_, {klu_->symbolic->P, klu_->symbolic->P + size_},
                        {klu_->symbolic->Q, klu_->symbolic->Q + size_});
  if (substitution_cost(size_, entries_, order.row_of, order.column_of) >= cost) return;
  klu_free_symbolic(&klu_->symbolic, &klu_->common);
  klu_->common.btf = 0;
  klu_->symbolic = klu_analyze_given(size_, start_.data(), row_.data(), order.row_of.data(),
                                     order.column_of.data(), &klu_->common);
  DAEDAL_CHECK(klu_->symbolic != nullptr);
  intended_ = std::move(order);
  std::ranges::fill(is_loose_, 1);
  std::vector<std::int32_t> column_of_row(size_);
  for (int k = 0; k < size_; ++k) column_of_row[intended_.row_of[k]] = intended_.column_of[k];
  for (std::size_t e = 0; e < entries_.size(); ++e)
    if (entries_[e].is_steady && entries_[e].column == column_of_row[entries_[e].row]) {
      steady_.push_back(static_cast<std::int32_t>(e));
      is_loose_[entries_[e].column] = 0;
    }
  if (steady_.empty()) std::ranges::fill(is_loose_, 0);
}

// As the factorisation does: loose columns in their unit, then rows by the largest entries.
void PivotSearch::scale(std::span<double> values) const {
  double steady = 0.0, loose = 0.0;
  for (const std::int32_t e : steady_) steady = std::max(steady, std::abs(values[e]));
  for (std::size_t e = 0; e < entries_.size(); ++e)
    if (is_loose_[entries_[e].column]) loose = std::max(loose, std::abs(values[e]));
  const double unit =
      steady > 0.0 && loose > 0.0 ? std::ldexp(steady / loose, loose_exponent) : 1.0;
  std::vector<double> size(size_, 0.0);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    if (is_loose_[entries_[e].column]) values[e] *= unit;
    size[entries_[e].row] = std::max(size[entries_[e].row], std::abs(values[e]));
  }
  for (std::size_t e = 0; e < entries_.size(); ++e)
    if (size[entries_[e].row] > 0.0) values[e] /= size[entries_[e].row];
}

PivotSearch::~PivotSearch() = default;

bool PivotSearch::find(std::span<double> values, std::vector<std::int32_t>& row_of,
                       std::vector<std::int32_t>& column_of) {
  scale(values);
  klu_numeric* numeric =
      klu_factor(start_.data(), row_.data(), values.data(), klu_->symbolic, &klu_->common);
  const bool is_found = numeric != nullptr && klu_->common.status == KLU_OK;
  if (is_found) {
    row_of.assign(numeric->Pnum, numeric->Pnum + size_);
    column_of.assign(klu_->symbolic->Q, klu_->symbolic->Q + size_);
  }
  klu_free_numeric(&numeric, &klu_->common);
  return is_found;
}

}  // namespace daedal::linear
