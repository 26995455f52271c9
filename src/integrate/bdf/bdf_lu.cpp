#include "integrate/bdf/bdf_lu.hpp"

#include <klu.h>

#include "base/check.hpp"
#include "linear/elimination_order.hpp"
#include "linear/klu_memory.hpp"
#include "linear/nested_dissection.hpp"

namespace daedal::integrate {
namespace {

// An order of elimination, and the factors of the matrix factorised last.
class KluFactors {
 public:
  // On diagonal blocks: KLU's own order, minimum degree, or nested dissection; or rows and columns
  // in the order given.
  enum class BlockOrder { minimum_degree, nested_dissection };
  KluFactors(std::vector<int>& starts, std::vector<int>& rows, BlockOrder order)
      : starts_(starts), rows_(rows) {
    set_up();
    if (order == BlockOrder::nested_dissection) {
      common_.ordering = linear::klu_user_order;
      common_.user_order = linear::dissect_for_klu<int, klu_common>;
    }
    symbolic_ = klu_analyze(size(), starts_.data(), rows_.data(), &common_);
  }
  KluFactors(std::vector<int>& starts, std::vector<int>& rows, linear::EliminationOrder order)
      : starts_(starts), rows_(rows) {
    set_up();
    if (static_cast<int>(order.row_of.size()) < size()) return;  // structurally singular
    symbolic_ = klu_analyze_given(size(), starts_.data(), rows_.data(), order.row_of.data(),
                                  order.column_of.data(), &common_);
  }
  ~KluFactors() {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  KluFactors(const KluFactors&) = delete;
  KluFactors& operator=(const KluFactors&) = delete;

  int size() const { return static_cast<int>(starts_.size()) - 1; }

  bool choose_pivots(double* values) {
    klu_free_numeric(&numeric_, &common_);
    if (symbolic_ == nullptr) linear::require_memory(common_);
    if (symbolic_ == nullptr) return false;
    numeric_ = klu_factor(starts_.data(), rows_.data(), values, symbolic_, &common_);
    linear::require_memory(common_);
    return numeric_ != nullptr && common_.status == KLU_OK;
  }

  // With the pivots of before. They are good while what they let entries grow by is no more than a
  // few digits: Newton's method goes on where a solve is inaccurate.
  bool refactorise(double* values) {
    constexpr double least_reciprocal_growth = 1e-3;
    return numeric_ != nullptr &&
           klu_refactor(starts_.data(), rows_.data(), values, symbolic_, numeric_, &common_) != 0 &&
           common_.status == KLU_OK &&
           klu_rgrowth(starts_.data(), rows_.data(), values, symbolic_, numeric_, &common_) != 0 &&
           common_.rgrowth > least_reciprocal_growth;
  }

  double operations() {
    klu_flops(symbolic_, numeric_, &common_);
    return common_.flops;
  }

  void solve(double* b) {
    DAEDAL_CHECK(klu_solve(symbolic_, numeric_, size(), 1, b, &common_) != 0);
  }

 private:
  void set_up() {
    klu_defaults(&common_);
    common_.scale = 0;  // rows are scaled by the caller
  }

  std::vector<int>&starts_, &rows_;
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

linear::EliminationOrder least_fill_in(const std::vector<int>& starts,
                                       const std::vector<int>& rows) {
  std::vector<linear::Place> places;
  const int size = static_cast<int>(starts.size()) - 1;
  for (int j = 0; j < size; ++j)
    for (int k = starts[j]; k < starts[j + 1]; ++k) places.push_back({rows[k], j, false});
  return linear::find_elimination_order(size, places);
}

}  // namespace

struct BdfLu::Klu {
  Klu(std::vector<int> column_starts, std::vector<int> row_of_entry)
      : starts(std::move(column_starts)), rows(std::move(row_of_entry)) {}

  std::vector<int> starts, rows;
  std::unique_ptr<KluFactors> factors;  // none before the first regular matrix

  // Several orders of elimination are tried; the one that needs the fewest operations stays.
  bool choose_order(double* values) {
    using enum KluFactors::BlockOrder;
    consider(std::make_unique<KluFactors>(starts, rows, minimum_degree), values);
    if (factors != nullptr && factors->operations() < hardly_any) return true;
    consider(std::make_unique<KluFactors>(starts, rows, nested_dissection), values);
    if (starts.size() <= most_for_least_fill_in)
      consider(std::make_unique<KluFactors>(starts, rows, least_fill_in(starts, rows)), values);
    return factors != nullptr;
  }

 private:
  static constexpr double hardly_any = 1e4;
  static constexpr std::size_t most_for_least_fill_in = 1000;  // its search is quadratic

  void consider(std::unique_ptr<KluFactors> candidate, double* values) {
    if (!candidate->choose_pivots(values)) return;
    if (factors == nullptr || candidate->operations() < factors->operations())
      factors = std::move(candidate);
  }
};

BdfLu::BdfLu(std::vector<int> starts, std::vector<int> rows)
    : klu_(std::make_unique<Klu>(std::move(starts), std::move(rows))) {}
BdfLu::~BdfLu() = default;

bool BdfLu::factorise(std::span<double> values) {
  if (klu_->factors == nullptr) return klu_->choose_order(values.data());
  return klu_->factors->refactorise(values.data()) || klu_->factors->choose_pivots(values.data());
}

void BdfLu::solve(std::span<double> b) { klu_->factors->solve(b.data()); }

}  // namespace daedal::integrate
