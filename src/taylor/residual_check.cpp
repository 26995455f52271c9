#include "taylor/residual_check.hpp"

#include <algorithm>
#include <cmath>

#include "taylor/for_lanes.hpp"

namespace daedal::taylor {
namespace {

// Where all terms of an equation are below this, what is left of them is nothing to judge by.
constexpr double vanishing = 1e-6;

}  // namespace

ResidualCheck::ResidualCheck(const BlockSchedule& plan, const std::vector<int>& c, const Tape& tape,
                             int lanes)
    : lanes_(lanes), sums_(lanes), worst_(lanes) {
  for (int k = 0; k < plan.size(); ++k) {
    const Slot residual = plan.residual_slots[k];
    const TapeEntry& entry = tape.entries()[residual];
    if (entry.instruction != Instruction::affine) continue;
    const auto arguments = tape.arguments(entry);
    const std::size_t first = terms_.size();
    for (std::size_t a = 0; a < arguments.size(); ++a) terms_.push_back({arguments[a], &entry, a});
    rows_.push_back({residual, c[k], first, terms_.size(), std::abs(entry.number)});
  }
  factors_.resize(terms_.size() * lanes);
  largest_.resize(rows_.size() * lanes);
}

void ResidualCheck::set_constants(const SeriesTable<double>& table) {
  double* factor = factors_.data();
  for (const Term& term : terms_)
    for (int lane = 0; lane < lanes_; ++lane)
      *factor++ = std::abs(table.term_factor(*term.entry, term.argument, lane));
}

// Adds the sizes of coefficient k of the row's terms; `lanes` is a number or a constant.
template <typename Lanes>
void ResidualCheck::add_sizes(const SeriesTable<double>& table, const Row& row, int k,
                              double* __restrict largest, Lanes lanes) {
  double* __restrict const sum = sums_.data();
  for (int lane = 0; lane < lanes; ++lane) sum[lane] = k == 0 ? row.constant : 0.0;
  const double* __restrict factor = factors_.data() + row.first_term * lanes;
  for (std::size_t t = row.first_term; t < row.end_term; ++t) {
    const double* __restrict const term = &table.at(terms_[t].slot, k);
    for (int lane = 0; lane < lanes; ++lane) sum[lane] += factor[lane] * std::abs(term[lane]);
    factor += lanes;
  }
  for (int lane = 0; lane < lanes; ++lane) {
    const double before = k == 0 ? vanishing : largest[lane];
    largest[lane] = before < sum[lane] ? sum[lane] : before;
  }
}

std::span<const double> ResidualCheck::relative_residuals(const SeriesTable<double>& table,
                                                          int local_stage) {
  with_lanes(lanes_, [&](const auto lanes) {
    double* __restrict const worst = worst_.data();
    for (int lane = 0; lane < lanes; ++lane) worst[lane] = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const int m = local_stage + rows_[i].c;
      if (m < 0) continue;
      double* const largest = largest_.data() + i * lanes;
      add_sizes(table, rows_[i], m, largest, lanes);
      const double* __restrict const residual = &table.at(rows_[i].residual, m);
      for (int lane = 0; lane < lanes; ++lane) {
        const double relative = std::abs(residual[lane]) / largest[lane];
        worst[lane] = worst[lane] < relative ? relative : worst[lane];
      }
    }
  });
  return worst_;
}

}  // namespace daedal::taylor
