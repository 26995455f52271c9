// The search for the first root, on x = s/end in (0, 1] with q_k = p_k end^k:
//
//   1. exclusion   |q_0| > negligible + sum_{k>0} |q_k|, or the same with the Bernstein
//   coefficients of
//                  the first terms in place of q_0: no root (most calls end here).
//   2. isolation   Bernstein coefficients b_i on [0, 1], halved from left to right until a piece is
//                  decided by their signs. Each b_i has a bound t_i of its rounding error.
//   3. location    a change of sign, or an extremum, bracketed to rounding by evaluation.
//
// Verdicts on a piece, p being counted positive on its side:
//
//   clear     all b_i > max(negligible, t_i)            no root
//   on_side   all b_i > t_i                             no crossing; touches in a valley, perhaps
//   crosses   + ... + - ... -                           one root
//   noise     all |b_i| <= 4 t_i                        as good as zero
//   beyond    b_0 < -t_0                                a crossing in the noise before
//
// Anything else is halved. Neighbouring pieces of noise are one; what comes after it tells whether
// p has crossed, and evaluation whether it has touched. 4 instead of 1: a piece with b_i <= t_i and
// b_j > 4 t_j is one in which p grows by 3 t, so that halving comes to an end soon.
#include "hybrid/event_location.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "hybrid/bernstein.hpp"
#include "hybrid/sign_bracket.hpp"

namespace daedal::hybrid {
namespace {

constexpr double unit_rounding = 0.5 * std::numeric_limits<double>::epsilon();
constexpr int finest = 52;  // halvings of [0, 1]: ends of pieces are numbers
// A piece that is still undecided has roots, perhaps complex, near it: a few of the n. Some 60
// halvings are the most seen. What is left after max_splits counts as noise.
constexpr int max_splits = 20000;

enum class Verdict { clear, on_side, crosses, noise, beyond, undecided };
// How p goes along a piece: it falls towards zero, rises, first the one and then the other.
enum class Course { falls, rises, valley, hill, undecided };

struct Piece {
  double begin;
  int depth;
  std::span<double> b;  // Bernstein coefficients of p
  std::span<double> e;  // those of sum_k |q_k| x^k

  double end() const { return begin + std::ldexp(1.0, -depth); }
  // t_i = rounding() e_i: 4 n for the conversion, n for each halving.
  double rounding() const {
    return unit_rounding * static_cast<double>(b.size()) * (4.0 + static_cast<double>(depth));
  }
};

Verdict verdict_on(const Piece& piece, double negligible);
Course course_of(const Piece& piece);

// The polynomial sum_k c_k s^k = p/s^m in double precision, positive on the side.
class Evaluation {
 public:
  struct Value {
    double value;
    double error;  // bound of its rounding
  };

  Evaluation(std::span<const double> c, double scale, double end)
      : c_(c), scale_(scale), direction_(end < 0.0 ? -1.0 : 1.0) {}

  double value(double s) const {
    double sum = 0.0;
    for (std::size_t k = c_.size(); k-- > 0;) sum = c_[k] + s * sum;
    return sum;
  }
  // In units of `negligible`, with the bound 2 n 2^-53 sum |c_k s^k| of Horner's rule.
  Value measure(double s) const {
    double sum = 0.0;
    for (std::size_t k = c_.size(); k-- > 0;) sum = std::abs(c_[k]) + std::abs(s) * sum;
    const double n = static_cast<double>(c_.size());
    return {scale_ * value(s), scale_ * 2.0 * n * unit_rounding * sum};
  }
  // along the way to the end
  double slope(double s) const {
    double sum = 0.0;
    for (std::size_t k = c_.size(); k-- > 1;) sum = static_cast<double>(k) * c_[k] + s * sum;
    return direction_ * sum;
  }
  // Whether it rises from its begin by more than rounding: what it came from lies before.
  bool rises_at_begin(double end) const {
    double sum = 0.0;
    for (std::size_t k = c_.size(); k-- > 1;)
      sum = static_cast<double>(k) * std::abs(c_[k]) + std::abs(end) * sum;
    return slope(0.0) > 2.0 * static_cast<double>(c_.size()) * unit_rounding * sum;
  }

 private:
  std::span<const double> c_;
  double scale_, direction_;
};

class Search {
 public:
  // negligible: for touching, and at the end
  struct Levels {
    double touching, at_end;
  };
  Search(const Evaluation& p, double end, const Levels& negligible, std::size_t size,
         double* levels)
      : p_(p),
        end_(end),
        negligible_(negligible.touching),
        at_end_(negligible.at_end),
        size_(size),
        levels_(levels) {}

  static std::size_t memory(std::size_t size) { return 2 * size * (finest + 1); }

  // q: coefficients in x, positive on the side
  std::optional<Root> run(std::span<const double> q) {
    const Piece whole = piece(0, 0.0, 0);
    for (std::size_t k = 0; k < size_; ++k) whole.b[k] = q[k], whole.e[k] = std::abs(q[k]);
    to_bernstein(whole.b);
    to_bernstein(whole.e);
    if (!visit(0, 0.0, 0)) reach_end();
    return found_;
  }
  int num_splits() const { return num_splits_; }

 private:
  // Row `level` of the memory: what is left of a piece of which the left part is being looked at.
  Piece piece(int level, double begin, int depth) const {
    double* row = levels_ + 2 * size_ * static_cast<std::size_t>(level);
    return {begin, depth, {row, size_}, {row + size_, size_}};
  }
  double point(double x) const { return end_ * x; }

  // Looks at a piece from left to right; true: the search is over.
  bool visit(int level, double begin, int depth) {
    for (;; ++depth) {
      const Piece now = piece(level, begin, depth);
      const Verdict verdict = verdict_on(now, negligible_);
      const bool is_last = depth == finest || num_splits_ == max_splits;
      if (std::optional<bool> over = decide(now, verdict, is_last)) return *over;
      const Piece left = piece(level + 1, begin, depth + 1);
      halve(left.b, now.b);
      halve(left.e, now.e);
      ++num_splits_;
      if (visit(level + 1, begin, depth + 1)) return true;
      begin = left.end();
    }
  }

  // Is the search over? No value: the piece must be halved.
  std::optional<bool> decide(const Piece& piece, Verdict verdict, bool is_last) {
    switch (verdict) {
      case Verdict::clear: return leave_noise(piece.begin) || turn_back();
      case Verdict::on_side:
        return leave_noise(piece.begin) ? std::optional(true) : pass(piece, is_last);
      case Verdict::crosses: return leave_noise(piece.begin) || cross(piece.begin, piece.end());
      case Verdict::beyond: return cross_in_noise(piece.begin);
      case Verdict::noise: return stay_in_noise(piece.begin);
      case Verdict::undecided: break;
    }
    return is_last ? std::optional(stay_in_noise(piece.begin)) : std::nullopt;
  }

  bool stay_in_noise(double begin) {
    if (!noise_begin_) noise_begin_ = begin;
    lowest_.reset();
    return false;
  }
  // p is on its side at x, after noise perhaps.
  bool leave_noise(double x) {
    if (!noise_begin_) return false;
    const double a = *noise_begin_;
    noise_begin_.reset();
    const double lowest_sample = scan(point(a), point(x));
    if (found_) return true;
    const bool is_valley = p_.slope(point(a)) < 0.0 && p_.slope(point(x)) > 0.0;
    return settle(is_valley ? bottom(point(a), point(x)) : lowest_sample, a, x);
  }
  // p is not on its side at x, after noise.
  bool cross_in_noise(double x) {
    const double a = noise_begin_.value_or(x);
    scan(point(a), point(x));
    return found_ || cross(a, x);
  }
  // p rises after it has fallen to a negligible value.
  bool turn_back() {
    if (lowest_) found_ = Root{point(*lowest_), true};
    return found_.has_value();
  }
  // p is on its side, but not clearly so, all along the piece. Its course is told by coefficients;
  // where it is flat, evaluation knows better.
  std::optional<bool> pass(const Piece& piece, bool is_last) {
    const Course course = course_of(piece);
    if (course == Course::undecided && !is_last) return std::nullopt;
    if (course == Course::hill && turn_back()) return true;
    const double a = point(piece.begin), b = point(piece.end());
    lowest_.reset();
    if (course == Course::hill || p_.slope(b) <= 0.0) return settle(b, piece.begin, piece.end());
    if (piece.begin == 0.0 && p_.rises_at_begin(end_)) return false;
    return settle(p_.slope(a) < 0.0 ? bottom(a, b) : a, piece.begin, piece.end());
  }
  // What is left undecided when x = 1 is reached.
  void reach_end() {
    if (noise_begin_ && p_.value(end_) <= 0.0)
      cross_in_noise(1.0);
    else
      leave_noise(1.0);
    if (!found_ && lowest_ && is_zero(p_.measure(end_), at_end_)) found_ = Root{end_, false};
  }

  bool is_zero(const Evaluation::Value& at) const { return is_zero(at, negligible_); }
  static bool is_zero(const Evaluation::Value& at, double negligible) {
    return std::abs(at.value) <= std::max(negligible, at.error);
  }
  // s is the lowest point of p between a and b: does it reach zero there, or the other side?
  bool settle(double s, double a, double b) {
    const auto there = p_.measure(s);
    if (there.value < -there.error) return cross_before(point(a), s);
    if (!is_zero(there)) return false;
    if (s == point(b))
      lowest_ = b;  // what follows tells
    else
      found_ = Root{s, true};
    return found_.has_value();
  }
  double bottom(double a, double b) const {
    return far_end_of_sign_change([&](double s) { return -p_.slope(s); }, a, b);
  }
  // Noise, in which evaluation may see more than the coefficients tell: the first of some samples
  // that is on the other side makes a crossing. Returns the lowest.
  double scan(double a, double b) {
    constexpr int num_samples = 64;
    double lowest = a, least = p_.measure(a).value, before = a;
    for (int k = 1; k <= num_samples; ++k) {
      const double s = k == num_samples ? b : a + (b - a) * k / num_samples;
      const auto there = p_.measure(s);
      if (there.value < -there.error) {
        cross_before(before, s);
        break;
      }
      if (there.value < least) lowest = s, least = there.value;
      before = s;
    }
    return lowest;
  }
  bool cross(double a, double b) { return cross_before(point(a), point(b)); }
  bool cross_before(double on, double off) {
    double s = off;
    if (p_.value(on) <= 0.0)
      s = on;
    else if (p_.value(off) <= 0.0)
      s = far_end_of_sign_change([&](double x) { return p_.value(x); }, on, off);
    found_ = Root{s, false};
    return true;
  }

  Evaluation p_;
  double end_, negligible_, at_end_;
  std::size_t size_;
  double* levels_;
  int num_splits_ = 0;
  std::optional<double> noise_begin_;  // p has not been told from zero since
  std::optional<double> lowest_;       // p has been falling up to here, where it is negligible
  std::optional<Root> found_;
};

// + ... + - ... -, and what rounding leaves open does not matter: at most one coefficient in
// between. p could come near zero before it crosses, unless it falls all the time or its positive
// coefficients are not negligible: the signs of b_i - negligible are those of b_i then.
bool crosses_once(const Piece& piece, double negligible) {
  const double rounding = piece.rounding();
  const std::size_t n = piece.b.size() - 1;
  std::size_t plus = 0, minus = 0;
  while (plus <= n && piece.b[plus] > rounding * piece.e[plus]) ++plus;
  while (minus <= n && piece.b[n - minus] < -rounding * piece.e[n - minus]) ++minus;
  if (plus == 0 || minus == 0 || plus + minus < n) return false;
  const bool is_clear = std::all_of(piece.b.begin(), piece.b.begin() + static_cast<int>(plus),
                                    [&](double b) { return b > negligible; });
  return is_clear || course_of(piece) == Course::falls;
}

Verdict verdict_on(const Piece& piece, double negligible) {
  const double rounding = piece.rounding();
  double least = std::numeric_limits<double>::infinity();
  bool is_on_side = true, is_noise = true;
  for (std::size_t i = 0; i < piece.b.size(); ++i) {
    const double b = piece.b[i], t = rounding * piece.e[i];
    least = std::min(least, b);
    is_on_side = is_on_side && b > t;
    is_noise = is_noise && std::abs(b) <= 4.0 * t;
  }
  if (is_on_side) return least > negligible ? Verdict::clear : Verdict::on_side;
  if (is_noise) return Verdict::noise;
  if (piece.b[0] < -rounding * piece.e[0]) return Verdict::beyond;
  return crosses_once(piece, negligible) ? Verdict::crosses : Verdict::undecided;
}

// By the signs of b_{i+1} - b_i, the Bernstein coefficients of p'/n. Those that rounding leaves
// open do not count.
Course course_of(const Piece& piece) {
  const double rounding = piece.rounding();
  int num_turns = 0, last = 0, first = 0;
  for (std::size_t i = 0; i + 1 < piece.b.size(); ++i) {
    const double difference = piece.b[i + 1] - piece.b[i];
    if (std::abs(difference) <= rounding * (piece.e[i] + piece.e[i + 1])) continue;
    const int sign = difference > 0.0 ? 1 : -1;
    if (first == 0) first = sign;
    if (last != 0 && sign != last) ++num_turns;
    last = sign;
  }
  if (num_turns == 0) return first > 0 ? Course::rises : Course::falls;
  if (num_turns == 1) return first > 0 ? Course::hill : Course::valley;
  return Course::undecided;
}

}  // namespace

namespace {

// Where the term that decides the sign just after 0 exceeds what is negligible; s has the sign of
// end.
struct Departure {
  int side = 0;
  double s = 0.0;
};

// The departure of a polynomial whose terms below degree m are negligible, where m is 2 or higher.
Departure departure_of(solution::Polynomial p, int m, double end, double negligible) {
  Departure first{.side = 0, .s = std::numeric_limits<double>::infinity()};
  double power = std::pow(end, m);
  for (int k = m; k < p.size(); ++k, power *= end) {
    const double term = p[k] * power;
    if (!(std::abs(term) > negligible)) continue;
    const double part = std::pow(negligible / std::abs(term), 1.0 / k);
    if (part < first.s) first = {term > 0.0 ? 1 : -1, part};
  }
  first.s *= end;
  return first;
}

}  // namespace

int side_after(solution::Polynomial p, double end, double negligible) {
  double power = 1.0;
  for (int k = 0; k < p.size(); ++k, power *= end) {
    const double term = p[k] * power;
    if (!(std::abs(term) > negligible)) continue;
    if (k >= 2 && negligible > 0.0) return departure_of(p, k, end, negligible).side;
    return term > 0.0 ? 1 : -1;
  }
  return 0;
}

namespace {

// A cheap bound from below on [0, 1]: the Bernstein coefficients of the first few terms, less the
// size of the rest.
bool is_excluded(std::span<const double> q, double touching) {
  constexpr std::size_t few = 8;
  constexpr double safety = 1e-13;
  std::array<double, few> first{};
  const std::size_t count = std::min(q.size(), few);
  double rest = touching, size = 0.0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    if (k < count)
      first[k] = q[k];
    else
      rest += std::abs(q[k]);
    size += std::abs(q[k]);
  }
  const std::span<double> b(first.data(), count);
  to_bernstein(b);
  return *std::min_element(b.begin(), b.end()) > rest + safety * size;
}

}  // namespace

std::optional<Root> RootFinder::first_root(solution::Polynomial p, int side, double end,
                                           double negligible, double touching) {
  num_splits_ = 0;
  touching = std::max(touching, negligible);
  // 1. exclusion
  double power = 1.0, first = 0.0, rest = 0.0, scale = 1.0;
  int m = 0, size = 0;
  for (int k = 0; k < p.size(); ++k, power *= end) {
    const double term = p[k] * power;
    if (first == 0.0 && std::abs(term) > negligible)
      first = term, m = k, scale = std::abs(power);
    else
      rest += std::abs(term);
    if (term != 0.0) size = k + 1;
  }
  if (first == 0.0 || !std::isfinite(first + rest)) return std::nullopt;
  if (m >= 2 && negligible > 0.0) {
    const Departure departure = departure_of(p, m, end, negligible);
    if (departure.side != side) return Root{0.0, false};
    if ((first > 0.0) != (side > 0)) return root_beyond(p, side, departure.s, end, touching);
  } else if ((first > 0.0) != (side > 0)) {
    return Root{0.0, false};
  }
  constexpr double safety = 1.0 + 1e-13;  // rounding of the sum, up to degree 100
  if (std::abs(first) > (touching + rest) * safety) return std::nullopt;

  // 2. and 3. on p/s^m
  const auto count = static_cast<std::size_t>(size - m);
  memory_.resize(std::max(memory_.size(), 2 * count + Search::memory(count)));
  const std::span c(memory_.data(), count), q(memory_.data() + count, count);
  const int sign_of_c = end < 0.0 && m % 2 == 1 ? -side : side;
  power = scale;
  for (int k = m; k < size; ++k, power *= end) {
    c[static_cast<std::size_t>(k - m)] = sign_of_c * p[k];
    q[static_cast<std::size_t>(k - m)] = sign_of_c * p[k] * power;
  }
  if (is_excluded(q, touching)) return std::nullopt;
  Search search({c, scale, end}, end, {touching, negligible}, count, memory_.data() + 2 * count);
  const auto found = search.run(q);
  num_splits_ = search.num_splits();
  return found;
}

// The first root after `begin` of a function that has come to its side by then.
std::optional<Root> RootFinder::root_beyond(solution::Polynomial p, int side, double begin,
                                            double end, double touching) {
  shifted_.resize(static_cast<std::size_t>(p.size()));
  for (int k = 0; k < p.size(); ++k)
    shifted_[static_cast<std::size_t>(k)] = solution::scaled_derivative(p, k, begin);
  auto root = first_root(shifted_, side, end - begin, 0.0, touching);
  if (root) root->s += begin;
  return root;
}

}  // namespace daedal::hybrid
