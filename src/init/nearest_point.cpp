// Sequential quadratic programming on the constraint manifold. With the Lagrangian
// L = F + sum_r lambda_r g_r, a step p and new multipliers solve
//
//   [ H  G^T ] [ p      ]   [ -F'(v) ]
//   [ G   0  ] [ lambda ] = [ -g(v)  ]                       [NocedalWright2006, sec. 18.1]
//
// H = L'' is exact (rule C4) once the cheaper H = F'' has shown that it converges slowly; where L''
// gives no direction of descent, F'' does. Far from the solution a step is followed by a
// restoration and must reduce F; near it the bare iteration converges quadratically in v and g at
// once.
//
// Values not given. First F + weight_not_given/2 |values not given|^2 is minimised; then F alone,
// where the same term, centred on the current point, only keeps H positive definite (a proximal
// point iteration): it does not displace the minimum of F, and moves nothing that F leaves free.
#include "init/nearest_point.hpp"

#include <cmath>
#include <limits>

namespace daedal::init {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_steps = 300;
constexpr int most_escapes = 4;
constexpr int steps_before_curvature = 3;
constexpr double near = 1e-6;        // size of a step from which on Newton is left alone
constexpr double second_aim = 1e-9;  // to which values not given are minimised
constexpr int most_halvings = 24;    // of a step
// Back to the constraints from a point nearby takes a few steps. Where it takes more, again and
// again, rounding decides (high derivatives of a long chain), and there is nothing to be gained.
constexpr int many_steps = 20;
constexpr int most_laborious = 25;

class NearestPoint {
 public:
  NearestPoint(ConstraintSystem& system, const Selection& selection, const Objective& objective)
      : system_(system),
        selection_(selection),
        objective_(objective),
        norm_(objective.norm()),
        scale_of_values_(value_scale(objective.target)) {}

  Vector run(Vector v) {
    for (int escape = 0;; ++escape) {
      descend(v);
      if (escape == most_escapes || objective_.at(v) <= eps || !leave_saddle(v)) return v;
    }
  }

 private:
  // Minimises from v to the nearest stationary point.
  void descend(Vector& v) {
    minds_not_given_ = (objective_.weight.array() == 0.0).any();
    lambda_ = Vector::Zero(system_.num_rows());
    double last_size = std::numeric_limits<double>::infinity();
    for (int step = 0; step < most_steps; ++step) {
      const auto at = system_.linearise(v);
      if (!at.is_finite()) return;
      const RowMatrix G = scaled_jacobian(at.jacobian, selection_, scale_);
      if (step >= steps_before_curvature) uses_curvature_ = true;
      Vector p, lambda;
      if (!direction(v, at.residual, G, p, lambda)) return;
      const double size = relative_size(p, v, scale_of_values_);
      lambda_ = lambda;
      if (size <= near && size <= last_size) {
        v += p;
        const bool is_settled = size <= 4 * eps || size > 0.5 * last_size;
        if (minds_not_given_ && (size <= second_aim || is_settled)) {
          minds_not_given_ = false;
          last_size = std::numeric_limits<double>::infinity();
          continue;
        }
        if (is_settled && size <= 1e-9) return;
      } else if (size <= 1e-9 || !search(v, p)) {
        if (!minds_not_given_) return;
        minds_not_given_ = false;
      }
      last_size = size;
    }
  }

  double value(const Vector& v) const {
    return objective_.at(v) + (minds_not_given_ ? not_given(v) : 0.0);
  }
  double not_given(const Vector& v) const {
    return 0.5 * second_weight().dot((v - objective_.target).cwiseAbs2());
  }
  Vector second_weight() const { return norm_ - objective_.weight; }

  Vector gradient(const Vector& v) const {
    Vector result = objective_.gradient(v);
    if (minds_not_given_) result += second_weight().cwiseProduct(v - objective_.target);
    for (int k = 0; k < v.size(); ++k)
      if (selection_.is_frozen[k]) result[k] = 0.0;
    return result;
  }

  // A step by which the value falls to first order, or which restores g = 0 where g is what is
  // left; false if there is none.
  bool direction(const Vector& v, const Vector& residual, const RowMatrix& G, Vector& p,
                 Vector& lambda) {
    for (const bool exact : {uses_curvature_, false}) {
      if (!kkt_.factorise(exact ? curved(v) : form(), G)) continue;
      const Vector slope = gradient(v);
      const auto solution = kkt_.solve(-slope, -scale_.cwiseProduct(residual));
      p = solution.p;
      lambda = scale_.cwiseProduct(solution.q);
      if (!p.allFinite()) continue;
      if (!exact || slope.dot(p) <= 0.0 || relative_size(p, v, scale_of_values_) <= near)
        return true;
    }
    return false;
  }

  // F'', with unit diagonal for what is frozen.
  std::vector<Triplet> form() const {
    std::vector<Triplet> entries = diagonal(norm_);
    for (const Triplet& entry : objective_.coupling)
      if (!selection_.is_frozen[entry.row()] && !selection_.is_frozen[entry.col()])
        entries.push_back(entry);
    return entries;
  }

  // F'' + sum lambda_r g_r''.
  std::vector<Triplet> curved(const Vector& v) {
    std::vector<Triplet> entries = form();
    for (const Triplet& entry : system_.hessian(v, lambda_))
      if (!selection_.is_frozen[entry.row()] && !selection_.is_frozen[entry.col()])
        entries.push_back(entry);
    return entries;
  }

  // Halves the step until the restored point is nearer; false if none is.
  bool search(Vector& v, const Vector& p) {
    const double now = value(v), slope = std::min(0.0, gradient(v).dot(p));
    double fraction = 1.0;
    for (int halving = 0; halving < most_halvings && num_laborious_ < most_laborious;
         ++halving, fraction /= 2) {
      const Restored trial = restore(system_, selection_, v + fraction * p, norm_);
      if (trial.num_steps > many_steps) ++num_laborious_;
      if (!trial.is_consistent) continue;
      if (value(trial.v) > now + 1e-4 * fraction * slope) continue;
      v = trial.v;
      return true;
    }
    return false;
  }

  // A stationary point with a direction of negative curvature is not a minimum (the guess on an
  // axis of an ellipse): go down on either side. False if there is none.
  bool leave_saddle(Vector& v) {
    const auto at = system_.linearise(v);
    const RowMatrix G = scaled_jacobian(at.jacobian, selection_, scale_);
    Eigen::SparseMatrix<double> H(v.size(), v.size());
    const std::vector<Triplet> entries = curved(v);
    H.setFromTriplets(entries.begin(), entries.end());
    if (!kkt_.factorise(diagonal(Vector::Ones(v.size())), G)) return false;
    const double bound = largest_curvature(H);
    double curvature = 0.0;
    const Vector along = power_iteration(H, bound, 60, curvature);
    if (curvature > -1e-6 * bound) return false;
    const double now = objective_.at(v);
    double distance = 0.1 * scale_of_values_;
    for (int attempt = 0; attempt < 9; ++attempt, distance /= 4)
      for (const double side : {distance, -distance}) {
        const Restored trial = restore(system_, selection_, v + side * along, norm_);
        if (!trial.is_consistent || objective_.at(trial.v) >= now - 1e-12 * std::abs(now)) continue;
        v = trial.v;
        return true;
      }
    return false;
  }

  Vector on_tangent_space(const Vector& u) const {
    Vector free = u;
    for (int k = 0; k < u.size(); ++k)
      if (selection_.is_frozen[k]) free[k] = 0.0;
    return kkt_.solve(free, Vector::Zero(system_.num_rows())).p;
  }

  double largest_curvature(const Eigen::SparseMatrix<double>& H) const {
    double curvature = 0.0;
    power_iteration(H, 0.0, 12, curvature);
    return 1.5 * std::abs(curvature) + std::numeric_limits<double>::min();
  }

  // Dominant direction of P (H - shift I) P on the tangent space, and u^T H u for it.
  Vector power_iteration(const Eigen::SparseMatrix<double>& H, double shift, int count,
                         double& curvature) const {
    Vector u(H.cols());
    for (int k = 0; k < u.size(); ++k) u[k] = 1.0 + 0.3 * std::sin(1.7 * k + 0.4);
    u = on_tangent_space(u);
    for (int iteration = 0; iteration < count && u.norm() > 0.0; ++iteration) {
      u /= u.norm();
      curvature = u.dot(H * u);
      u = on_tangent_space(H * u - shift * u);
    }
    return u.norm() > 0.0 ? Vector(u / u.norm()) : u;
  }

  ConstraintSystem& system_;
  const Selection& selection_;
  const Objective& objective_;
  Vector norm_;
  double scale_of_values_;
  KktSystem kkt_;
  Vector scale_, lambda_;
  bool uses_curvature_ = false;
  bool minds_not_given_ = false;
  int num_laborious_ = 0;  // restorations
};

}  // namespace

Vector Objective::norm() const {
  Vector norm =
      (weight.array() > 0.0).select(weight, Vector::Constant(weight.size(), weight_not_given));
  for (const Triplet& entry : coupling) norm[entry.row()] = weight[entry.row()] + weight_not_given;
  return norm;
}

Vector find_nearest(ConstraintSystem& system, const Selection& selection,
                    const Objective& objective, Vector v) {
  return NearestPoint(system, selection, objective).run(std::move(v));
}

}  // namespace daedal::init
