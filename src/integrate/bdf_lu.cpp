#include "integrate/bdf_lu.hpp"

#include <klu.h>

#include "base/check.hpp"

namespace daedal::integrate {

struct BdfLu::Klu {
  Klu(std::vector<int> column_starts, std::vector<int> row_of_entry)
      : starts(std::move(column_starts)), rows(std::move(row_of_entry)) {
    klu_defaults(&common);
    common.scale = 0;  // rows are scaled by the caller
    symbolic = klu_analyze(size(), starts.data(), rows.data(), &common);
  }
  ~Klu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  int size() const { return static_cast<int>(starts.size()) - 1; }

  // With the pivots of before. They are good if their reciprocal growth is that of a new choice, up
  // to a few digits.
  bool refactorise(double* values) {
    constexpr double least_growth = 1e-3;
    return klu_refactor(starts.data(), rows.data(), values, symbolic, numeric, &common) != 0 &&
           common.status == KLU_OK &&
           klu_rgrowth(starts.data(), rows.data(), values, symbolic, numeric, &common) != 0 &&
           common.rgrowth > least_growth;
  }

  bool choose_pivots(double* values) {
    klu_free_numeric(&numeric, &common);
    numeric = klu_factor(starts.data(), rows.data(), values, symbolic, &common);
    return numeric != nullptr && common.status == KLU_OK;
  }

  std::vector<int> starts, rows;
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

BdfLu::BdfLu(std::vector<int> starts, std::vector<int> rows)
    : klu_(std::make_unique<Klu>(std::move(starts), std::move(rows))) {}
BdfLu::~BdfLu() = default;

bool BdfLu::factorise(std::span<double> values) {
  if (klu_->symbolic == nullptr) return false;  // structurally singular
  if (klu_->numeric != nullptr && klu_->refactorise(values.data())) return true;
  return klu_->choose_pivots(values.data());
}

void BdfLu::solve(std::span<double> b) {
  DAEDAL_CHECK(klu_solve(klu_->symbolic, klu_->numeric, klu_->size(), 1, b.data(), &klu_->common) !=
               0);
}

}  // namespace daedal::integrate
