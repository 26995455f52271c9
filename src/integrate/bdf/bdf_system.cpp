#include "integrate/bdf/bdf_system.hpp"

#include <algorithm>
#include <cmath>

namespace daedal::integrate {
namespace {

bool are_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// Powers of steps that are short and of high index stay numbers.
double bounded_power(double base, int exponent) {
  constexpr double largest = 1e100;
  return std::clamp(std::pow(base, exponent), 1 / largest, largest);
}

}  // namespace

BdfSystem::BdfSystem(reduce::IndexForm& form, const std::vector<double>& parameters)
    : form_(form),
      num_unknowns_(form.num_unknowns()),
      parameters_(parameters),
      array_(*form.system.graph, form.system.residuals,
             std::vector<int>(form.system.residuals.size(), 0), reduce::Entries::derivatives),
      point_(2 * static_cast<std::size_t>(num_unknowns_)),
      probe_(num_unknowns_),
      column_units_(num_unknowns_, 1.0),
      row_units_(num_unknowns_, 1.0),
      column_powers_(num_unknowns_, 1.0),
      row_powers_(num_unknowns_, 1.0) {
  lay_out();
}

// The partials by z_u and by z_u' of a row meet in one entry.
void BdfSystem::lay_out() {
  struct Found {
    int column, row;
    Term term;
  };
  const reduce::SparseRows& partials = array_.jacobian();
  std::vector<Found> found;
  for (int row = 0; row < num_unknowns_; ++row)
    for (int k = partials.starts[row]; k < partials.starts[row + 1]; ++k) {
      const reduce::Place place = array_.place_of_column(partials.columns[k]);
      found.push_back({place.index, row, {.partial = k, .is_slope = place.order == 1}});
    }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  starts_.assign(num_unknowns_ + 1, 0);
  for (const Found& f : found) {
    const bool is_new = rows_.empty() || columns_.back() != f.column || rows_.back() != f.row;
    if (is_new) {
      rows_.push_back(f.row);
      columns_.push_back(f.column);
      ++starts_[f.column + 1];
    }
    terms_.push_back(f.term);
    terms_.back().entry = static_cast<int>(rows_.size()) - 1;
  }
  for (int u = 0; u < num_unknowns_; ++u) starts_[u + 1] += starts_[u];
  entries_.resize(rows_.size());
  lu_ = std::make_unique<BdfLu>(starts_, rows_);
}

void BdfSystem::load(std::span<const double> z, std::span<const double> slope) {
  std::copy(z.begin(), z.end(), point_.begin());
  std::copy(slope.begin(), slope.end(), point_.begin() + num_unknowns_);
}

bool BdfSystem::evaluate(double t, std::span<const double> z, std::span<const double> slope) {
  load(z, slope);
  array_.evaluate({.time = t, .parameters = parameters_, .values = point_});
  return are_finite(residual());
}

bool BdfSystem::linearise(double t, std::span<const double> z, std::span<const double> slope) {
  load(z, slope);
  array_.linearise({.time = t, .parameters = parameters_, .values = point_});
  return are_finite(residual()) && are_finite(array_.jacobian().values);
}

bool BdfSystem::factorise(double alpha, std::span<const double> sizes) {
  factorised_alpha_ = alpha;
  std::copy(sizes.begin(), sizes.end(), column_units_.begin());
  std::fill(row_units_.begin(), row_units_.end(), 1.0);
  find_powers(alpha);
  fill(alpha);
  equilibrate_rows();
  return lu_->factorise(entries_);
}

// 1/alpha stands for h.
void BdfSystem::find_powers(double alpha) {
  if (alpha == powers_alpha_) return;
  powers_alpha_ = alpha;
  const double h = 1.0 / std::abs(alpha);
  for (int k = 0; k < num_unknowns_; ++k) {
    column_powers_[k] = bounded_power(h, form_.column_powers[k]);
    row_powers_[k] = bounded_power(h, -form_.row_powers[k]);
  }
}

void BdfSystem::fill(double alpha) {
  const std::vector<double>& partials = array_.jacobian().values;
  std::fill(entries_.begin(), entries_.end(), 0.0);
  for (const Term& term : terms_)
    entries_[term.entry] += (term.is_slope ? alpha : 1.0) * partials[term.partial];
  for (std::size_t k = 0; k < entries_.size(); ++k)
    entries_[k] *= row_scale(rows_[k]) * column_scale(columns_[k]);
}

// The largest entry of every row becomes 1.
void BdfSystem::equilibrate_rows() {
  std::fill(row_units_.begin(), row_units_.end(), 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    row_units_[rows_[k]] = std::max(row_units_[rows_[k]], std::abs(entries_[k]));
  for (double& unit : row_units_) unit = unit > 0.0 ? 1.0 / unit : 1.0;
  for (std::size_t k = 0; k < entries_.size(); ++k) entries_[k] *= row_units_[rows_[k]];
}

void BdfSystem::solve(double alpha, std::span<double> b) {
  find_powers(alpha);
  for (int i = 0; i < num_unknowns_; ++i) b[i] *= row_scale(i);
  lu_->solve(b);
  for (int u = 0; u < num_unknowns_; ++u) b[u] *= column_scale(u);
}

// Errors e of z in the past are errors alpha e of slopes, of F alpha dF/dz' e. Instead of all e
// some are tried, of the size of z with various signs.
void BdfSystem::find_gains(std::span<double> gains) {
  constexpr int num_patterns = 3;  // of signs: + + + + ..., + - + - ..., + + - - ...
  const std::vector<double>& partials = array_.jacobian().values;
  std::fill(gains.begin(), gains.end(), 0.0);
  for (int pattern = 0; pattern < num_patterns; ++pattern) {
    std::fill(probe_.begin(), probe_.end(), 0.0);
    for (const Term& term : terms_) {
      if (!term.is_slope) continue;
      const int u = columns_[term.entry];
      const bool is_negative = pattern > 0 && ((u >> (pattern - 1)) & 1) != 0;
      probe_[rows_[term.entry]] += (is_negative ? -factorised_alpha_ : factorised_alpha_) *
                                   partials[term.partial] * column_units_[u];
    }
    solve(factorised_alpha_, probe_);
    for (int u = 0; u < num_unknowns_; ++u)
      gains[u] = std::max(gains[u], std::abs(probe_[u]) / column_units_[u]);
  }
}

std::vector<double> BdfSystem::scaled_matrix() const {
  std::vector<double> matrix(std::size_t{1} * num_unknowns_ * num_unknowns_, 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    matrix[std::size_t{1} * rows_[k] * num_unknowns_ + columns_[k]] += entries_[k];
  return matrix;
}

}  // namespace daedal::integrate
