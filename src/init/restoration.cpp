// Each step p solves   min sum weight_k p_k^2   subject to   G p = -g,   rows scaled to norm 1. It
// is shortened until the residual falls, or until the next step from the trial point, with the same
// Jacobian, is shorter (the natural monotonicity test, [Deuflhard2004, ch. 3], which does not mind
// residuals that grow because later stages amplify the errors of earlier ones).
#include "init/restoration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedal::init {
namespace {

constexpr int most_steps = 2000;
constexpr int most_idle_steps = 120;  // that do not halve the residual
constexpr int most_halvings = 50;
constexpr int most_natural_tests = 5;  // each costs a solve
constexpr double eps = std::numeric_limits<double>::epsilon();

// Good enough when rounding stops the iteration: the Newton step is tiny and the residual is not
// much more than the rounding of values of nominal size explains (functions can cancel inside).
constexpr double most_excess = 1e4;
constexpr double tiny_step = 1e-9;
// Steps shortened to less than this lead nowhere if they come in a row.
constexpr double short_fraction = 1e-3;
constexpr int most_short_steps = 8;
constexpr int slow_steps_of_a_multiple_root = 12;

// Largest residual in units of what the rounding of |v| + least_value explains.
double excess(const ConstraintSystem::Linearisation& at, const Vector& v,
              const Selection& selection, double least_value) {
  const Vector rounding = at.rounding(v.cwiseAbs().array() + least_value);
  double largest = 0.0;
  for (int row = 0; row < at.residual.size(); ++row)
    if (selection.is_active[row] && at.residual[row] != 0.0)
      largest = std::max(largest, std::abs(at.residual[row]) /
                                      std::max(rounding[row], std::numeric_limits<double>::min()));
  return largest;
}

class Restoration {
 public:
  Restoration(ConstraintSystem& system, const Selection& selection, const Vector& weight,
              double scale)
      : system_(system), selection_(selection), weight_(weight), scale_of_values_(scale) {}

  Restored run(const Vector& start) {
    Restored result{.v = start};
    for (; result.num_steps < most_steps && num_idle_ < most_idle_steps; ++result.num_steps) {
      auto at = system_.linearise(result.v);
      if (!leave_out_undefined(at)) {
        result.is_defined = result.num_steps > 0;
        return result;
      }
      result.is_consistent = init::is_consistent(at, result.v, selection_);
      if (result.is_consistent || !factorise(at.jacobian)) return result;
      const Vector step = newton_step(at.residual);
      const double size = relative_size(step, result.v, scale_of_values_);
      const bool is_close =
          size <= tiny_step && excess(at, result.v, selection_, scale_of_values_) <= most_excess;
      const bool stalls = result.num_steps > 0 && (size >= 0.5 * last_size_ || size <= 4 * eps);
      watch(size, at.residual.lpNorm<Eigen::Infinity>());
      result.is_degenerate = num_slow_ >= slow_steps_of_a_multiple_root;
      result.is_consistent = is_close;
      if (is_close && (stalls || result.is_degenerate)) return result;
      const Vector scaled_residual = scale_.cwiseProduct(at.residual);
      const double merit = scaled_residual.norm();
      const bool is_stuck = (scaled_ * step + scaled_residual).norm() >= (1 - 1e-8) * merit;
      if (size == 0.0 || is_stuck || !advance(result.v, step, merit)) return result;
      result.is_consistent = false;
    }
    return result;
  }

 private:
  // Rows that are not active need not be defined; false if one that is active is not.
  bool leave_out_undefined(ConstraintSystem::Linearisation& at) {
    is_undefined_ = at.undefined_rows();
    for (std::size_t row = 0; row < is_undefined_.size(); ++row) {
      if (!is_undefined_[row]) continue;
      if (selection_.is_active[row]) return false;
      at.residual[static_cast<Eigen::Index>(row)] = 0.0;
    }
    return true;
  }

  // Whether rows that were defined at the beginning of the step still are; others count as zero.
  bool stays_defined(Vector& residual) const {
    for (Eigen::Index row = 0; row < residual.size(); ++row) {
      if (std::isfinite(residual[row])) continue;
      if (is_undefined_.empty() || !is_undefined_[static_cast<std::size_t>(row)]) return false;
      residual[row] = 0.0;
    }
    return true;
  }

  bool factorise(const RowMatrix& jacobian) {
    scaled_ = scaled_jacobian(jacobian, selection_, scale_);
    is_square_ = factorise_as_square();
    return is_square_ || kkt_.factorise(diagonal(weight_), scaled_);
  }

  // How the iteration goes on: at a multiple root steps shrink by a factor of 1/2 only.
  void watch(double size, double residual) {
    num_slow_ = size > 0.3 * last_size_ && size < 0.7 * last_size_ ? num_slow_ + 1 : 0;
    if (!(residual <= last_residual_ / 2)) ++num_idle_;
    last_size_ = size;
    last_residual_ = residual;
  }

  // As many active rows as free unknowns: nothing is left for a norm to choose.
  bool factorise_as_square() {
    std::vector<int> rows, columns;
    for (int row = 0; row < scaled_.rows(); ++row)
      if (selection_.is_active[row]) rows.push_back(row);
    for (int k = 0; k < scaled_.cols(); ++k)
      if (!selection_.is_frozen[k]) columns.push_back(k);
    return rows.size() == columns.size() && !rows.empty() &&
           kkt_.factorise_square(scaled_, rows, columns);
  }

  Vector newton_step(const Vector& residual) const {
    if (is_square_) return kkt_.solve_square(-scale_.cwiseProduct(residual));
    return kkt_.solve(Vector::Zero(weight_.size()), -scale_.cwiseProduct(residual)).p;
  }

  // v += step / 2^k for the first k that makes progress; false if none does.
  bool advance(Vector& v, const Vector& step, double merit) {
    double fraction = 1.0;
    for (int halving = 0; halving < most_halvings; ++halving, fraction /= 2) {
      const Vector trial = v + fraction * step;
      Vector residual = system_.residual(trial);
      if (!stays_defined(residual)) continue;
      const bool falls = scale_.cwiseProduct(residual).norm() <= (1 - 1e-4 * fraction) * merit;
      if (falls || (halving < most_natural_tests &&
                    newton_step(residual).norm() <= (1 - fraction / 4) * step.norm())) {
        v = trial;
        num_short_ = fraction < short_fraction ? num_short_ + 1 : 0;
        return num_short_ < most_short_steps;
      }
    }
    return false;
  }

  ConstraintSystem& system_;
  const Selection& selection_;
  const Vector& weight_;
  double scale_of_values_;
  KktSystem kkt_;
  RowMatrix scaled_;
  Vector scale_;
  std::vector<bool> is_undefined_;  // by row, where the last step began; empty if all are defined
  bool is_square_ = false;
  int num_short_ = 0, num_slow_ = 0;  // steps in a row
  int num_idle_ = 0;
  double last_size_ = std::numeric_limits<double>::infinity();
  double last_residual_ = std::numeric_limits<double>::infinity();
};

}  // namespace

bool is_consistent(const ConstraintSystem::Linearisation& at, const Vector& v,
                   const Selection& selection) {
  const std::vector<bool> is_undefined = at.undefined_rows();
  for (std::size_t row = 0; row < is_undefined.size(); ++row)
    if (is_undefined[row] && selection.is_active[row]) return false;
  return excess(at, v, selection, 0.0) <= 1.0;
}

double value_scale(const Vector& start) {
  const double largest = start.size() > 0 ? start.lpNorm<Eigen::Infinity>() : 0.0;
  return largest > 0.0 ? std::min(1.0, largest) : 1.0;
}

double relative_size(const Vector& step, const Vector& v, double scale) {
  double largest = 0.0;
  for (int k = 0; k < step.size(); ++k)
    largest = std::max(largest, std::abs(step[k]) / (std::abs(v[k]) + scale));
  return largest;
}

RowMatrix scaled_jacobian(const RowMatrix& jacobian, const Selection& selection, Vector& scale) {
  RowMatrix scaled = jacobian;  // NOLINT(performance-unnecessary-copy-initialization): valueRef()
  scale = Vector::Zero(jacobian.rows());
  for (int row = 0; row < jacobian.rows(); ++row) {
    double largest = 0.0, square = 0.0;
    for (RowMatrix::InnerIterator entry(scaled, row); entry; ++entry) {
      if (selection.is_frozen[entry.col()] || !selection.is_active[row]) entry.valueRef() = 0.0;
      largest = std::max(largest, std::abs(entry.value()));
    }
    for (RowMatrix::InnerIterator entry(scaled, row); entry && largest > 0.0; ++entry)
      square += (entry.value() / largest) * (entry.value() / largest);  // cannot overflow
    if (selection.is_active[row]) scale[row] = square > 0.0 ? 1 / largest / std::sqrt(square) : 1.0;
    for (RowMatrix::InnerIterator entry(scaled, row); entry; ++entry)
      entry.valueRef() *= scale[row];
  }
  return scaled;
}

Restored restore(ConstraintSystem& system, const Selection& selection, const Vector& start,
                 const Vector& weight, double scale) {
  return Restoration(system, selection, weight, scale).run(start);
}

Restored restore(ConstraintSystem& system, const Selection& selection, const Vector& start,
                 const Vector& weight) {
  return restore(system, selection, start, weight, value_scale(start));
}

}  // namespace daedal::init
