// Points on a path are u = (v, r), r = unit s; |u|^2 = |v|^2 in the norm of the objective + r^2.
// The unit is what the residuals at the start mean in v, by the Jacobian there or at the point
// found, so that a path is not much longer than its part in v. A step goes along the tangent and
// comes back by the shortest Gauss-Newton steps on h(u) = 0. Where constraints leave freedom, the
// tangent is the part of the last one that the constraints allow.
#include "init/homotopy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace daedal::init {
namespace {

// A step is right if it comes back by less than this part of itself, and may grow if by less than
// that: the path then bends by as many radians at most.
constexpr double most_bend = 0.2, little_bend = 0.05;
constexpr double most_contraction = 0.5;  // of one correction to the next
constexpr int most_corrections = 4;
constexpr double first_step = 1.0 / 64;  // in units of the radius
constexpr double longest_step = 1.0 / 32;
constexpr double shortest_step = 1e-5;
// Steps in each direction: enough for a path that turns some ten times. A large system gets fewer,
// since a start should not take longer than the run that it is for.
constexpr int most_steps = 400;
constexpr double most_unknowns_in_steps = 1e5;

class Path {
 public:
  Path(ConstraintSystem& system, const Selection& selection, const Objective& objective,
       const Vector& start, double radius)
      : system_(system),
        selection_(selection),
        objective_(objective),
        radius_(radius),
        unit_(radius),
        weight_(extended(objective.norm(), 1.0)),
        start_(extended(start, 0.0)),
        residual_at_start_(system.residual(start)) {
    const double count = most_unknowns_in_steps / static_cast<double>(weight_.size());
    num_steps_ = static_cast<int>(std::min(static_cast<double>(most_steps), count));
    measure_at(start);
  }

  // Takes the length of the step that answers the residuals at the start, with the Jacobian at v,
  // for the unit if it is shorter.
  void measure_at(const Vector& v) {
    Vector scale;
    const RowMatrix jacobian = scaled_jacobian(system_.linearise(v).jacobian, selection_, scale);
    const Eigen::Map<const Vector> values(jacobian.valuePtr(), jacobian.nonZeros());
    if (!values.allFinite() || !kkt_.factorise(diagonal(weight_.head(last())), jacobian)) return;
    const Vector right = scale.cwiseProduct(residual_at_start_);
    const double length = length_of(extended(kkt_.solve(Vector::Zero(v.size()), right).p, 0.0));
    if (length > 0.0) unit_ = std::min(unit_, length);
  }

  // The end in the direction in which s grows first (side = 1), or falls (-1).
  std::optional<Vector> follow(double side) {
    Vector u = start_;
    Vector tangent = Vector::Zero(u.size());
    tangent[last()] = side;
    double length = first_step * radius_;
    for (int step = 0; step < num_steps_; ++step) {
      if (!factorise(u) || !turn(tangent)) return std::nullopt;
      Vector next = u;
      while (!advance(u, tangent, length, next))
        if (length < shortest_step * radius_) return std::nullopt;
      if (next[last()] >= unit_) return between(u, next);
      u = std::move(next);
      if (objective_.at(u.head(last())) > radius_ * radius_ / 2) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  static Vector extended(const Vector& v, double with) {
    Vector u(v.size() + 1);
    u << v, with;
    return u;
  }
  Eigen::Index last() const { return weight_.size() - 1; }
  double length_of(const Vector& u) const { return std::sqrt(u.cwiseAbs2().dot(weight_)); }

  // h'(u), rows of norm 1; false if it is not defined.
  bool factorise(const Vector& u) {
    const auto at = system_.linearise(u.head(last()));
    residual_ = at.residual - (1 - u[last()] / unit_) * residual_at_start_;
    std::vector<Triplet> entries;
    scale_ = Vector::Zero(at.residual.size());
    for (int row = 0; row < at.residual.size(); ++row)
      if (selection_.is_active[row]) append(at.jacobian, row, entries);
    RowMatrix jacobian(at.residual.size(), weight_.size());
    jacobian.setFromTriplets(entries.begin(), entries.end());
    residual_ = scale_.cwiseProduct(residual_);
    const Eigen::Map<const Vector> values(jacobian.valuePtr(), jacobian.nonZeros());
    return residual_.allFinite() && values.allFinite() &&
           kkt_.factorise(diagonal(weight_), jacobian);
  }

  void append(const RowMatrix& jacobian, int row, std::vector<Triplet>& entries) {
    const std::size_t first = entries.size();
    for (RowMatrix::InnerIterator entry(jacobian, row); entry; ++entry)
      if (!selection_.is_frozen[entry.col()] && entry.value() != 0.0)
        entries.emplace_back(row, static_cast<int>(entry.col()), entry.value());
    if (residual_at_start_[row] != 0.0)
      entries.emplace_back(row, static_cast<int>(last()), residual_at_start_[row] / unit_);
    double largest = 0.0, square = 0.0;
    for (std::size_t k = first; k < entries.size(); ++k)
      largest = std::max(largest, std::abs(entries[k].value()));
    if (!(largest > 0.0)) return;
    for (std::size_t k = first; k < entries.size(); ++k)
      square += std::pow(entries[k].value() / largest, 2);
    scale_[row] = 1 / largest / std::sqrt(square);
    for (std::size_t k = first; k < entries.size(); ++k)
      entries[k] = {row, entries[k].col(), entries[k].value() * scale_[row]};
  }

  // The part of the last tangent that h' maps to zero, of length 1.
  bool turn(Vector& tangent) const {
    Vector u = tangent.cwiseProduct(weight_);
    for (Eigen::Index k = 0; k < last(); ++k)
      if (selection_.is_frozen[k]) u[k] = 0.0;
    tangent = kkt_.solve(u, Vector::Zero(residual_.size())).p;
    const double length = length_of(tangent);
    tangent /= length;
    return length > 0.0 && tangent.allFinite();
  }

  // A step of the length given and back to the path; false, with half the length, if it went too
  // far for that.
  bool advance(const Vector& u, const Vector& tangent, double& length, Vector& next) {
    next = u + length * tangent;
    double allowed = most_bend * length, first = 0.0;
    for (int correction = 0; correction < most_corrections; ++correction) {
      if (!factorise(next)) break;
      const Vector back = kkt_.solve(Vector::Zero(next.size()), -residual_).p;
      const double size = length_of(back);
      if (!(size <= allowed)) break;
      next += back;
      if (correction == 0) first = size;
      if (size <= little_bend * little_bend * length) {
        if (first <= little_bend * length) length = std::min(2 * length, longest_step * radius_);
        return true;
      }
      allowed = most_contraction * size;
    }
    length /= 2;
    return false;
  }

  // Where s = 1 on the chord.
  Vector between(const Vector& u, const Vector& next) const {
    const double part = (unit_ - u[last()]) / (next[last()] - u[last()]);
    return (u + part * (next - u)).head(last());
  }

  ConstraintSystem& system_;
  const Selection& selection_;
  const Objective& objective_;
  double radius_, unit_;
  int num_steps_ = 0;
  Vector weight_;  // of u
  Vector start_;
  Vector residual_at_start_;
  Vector residual_, scale_;  // of h where it was factorised last, scaled
  KktSystem kkt_;
};

std::vector<Vector> ends_of(Path& path) {
  std::vector<Vector> ends;
  for (const double side : {1.0, -1.0})
    if (auto end = path.follow(side)) ends.push_back(std::move(*end));
  return ends;
}

}  // namespace

std::vector<Vector> nearer_ends_of_paths(ConstraintSystem& system, const Selection& selection,
                                         const Objective& objective, const Vector& start,
                                         const Vector& found) {
  Path path(system, selection, objective, start, std::sqrt(2 * objective.at(found)));
  path.measure_at(found);
  return ends_of(path);
}

std::vector<Vector> ends_of_paths(ConstraintSystem& system, const Selection& selection,
                                  const Objective& objective, const Vector& start) {
  constexpr double far = 10.0;  // in units of what is given
  const double size = 1.0 + start.cwiseProduct(objective.weight.cwiseSqrt()).norm();
  Path path(system, selection, objective, start, far * size);
  return ends_of(path);
}

}  // namespace daedal::init
