#include "reduce/array/series_kernels.hpp"

#include <cmath>
#include <type_traits>
#include <utility>

#include "base/check.hpp"
#include "expr/evaluate.hpp"

namespace daedal::reduce {
namespace {

template <int K>
using Order = std::integral_constant<int, K>;

// Calls visit(k) for k = First .. N-1, k a constant; or, with N = 0, for k up to the operation's
// own number of coefficients.
template <int N, int First, typename Visit>
inline void for_orders(const Operation& operation, Visit visit) {
  if constexpr (N == 0) {
    for (int k = First; k < static_cast<int>(operation.num_orders); ++k) visit(k);
  } else if constexpr (N > First) {
    [&]<int... K>(std::integer_sequence<int, K...>) { (visit(Order<First + K>{}), ...); }
    (std::make_integer_sequence<int, N - First>{});
  }
}

// term(to) + ... + term(From); 0 if there is none. The highest first: in a recurrence for z_k,
// where term(j) has z_{k-j}, the coefficient that was computed last is then waited for last.
template <int From, typename Term>
inline double sum_up_to(int to, Term term) {
  double sum = 0.0;
  for (int j = to; j >= From; --j) sum += term(j);
  return sum;
}
template <int From, int To, typename Term>
inline double sum_up_to(Order<To>, Term term) {
  if constexpr (To < From) {
    return 0.0;
  } else {
    return [&]<int... J>(std::integer_sequence<int, J...>) { return (... + term(Order<To - J>{})); }
    (std::make_integer_sequence<int, To - From + 1>{});
  }
}

template <int K>
inline auto half_below(Order<K>) {
  return Order<(K - 1) / 2 - (K == 0 ? 1 : 0)>{};
}
inline int half_below(int k) { return k == 0 ? -1 : (k - 1) / 2; }
template <int K>
inline auto before(Order<K>) {
  return Order<K - 1>{};
}
inline int before(int k) { return k - 1; }

// 1/k sum_{j=1..k} j u_j g_{k-j}, T-fun.
template <typename K>
inline double by_derivative(K k, const double* u, const double* g) {
  return (1.0 / k) * sum_up_to<1>(k, [&](auto j) { return j * u[j] * g[k - j]; });
}

template <int N>
struct Kernels {
  // The series an operation reads and writes never overlap.
  using Out = double* __restrict;
  using In = const double* __restrict;

  static double* result(const Operation& o, double* table, int which = 0) {
    return table + o.result[which];
  }
  static const double* argument(const Operation& o, const double* table, int which = 0) {
    return table + o.argument[which];
  }

  // T-lin.
  static void sum(const Operation& o, double* table, const SumTerm* terms) {
    const SumTerm* first = terms + o.first_term;
    Out z = result(o, table);
    if constexpr (N > 0) {
      double total[N] = {o.number};
      for (const SumTerm* term = first; term != first + o.num_terms; ++term) {
        In u = table + term->position;
        for_orders<N, 0>(o, [&](auto k) { total[k] += term->factor * u[k]; });
      }
      for_orders<N, 0>(o, [&](auto k) { z[k] = total[k]; });
    } else {
      for (std::uint32_t k = 0; k < o.num_orders; ++k) z[k] = k == 0 ? o.number : 0.0;
      for (const SumTerm* term = first; term != first + o.num_terms; ++term)
        for (std::uint32_t k = 0; k < o.num_orders; ++k)
          z[k] += term->factor * table[term->position + k];
    }
  }
  static void scaled_sum(const Operation& o, double* table, const SumTerm* terms) {
    const SumTerm& a = terms[o.first_term];
    Out z = result(o, table);
    In u = table + a.position;
    for_orders<N, 0>(o, [&](auto k) { z[k] = a.factor * u[k]; });
    z[0] += o.number;
  }
  static void sum_of_two(const Operation& o, double* table, const SumTerm* terms) {
    const SumTerm &a = terms[o.first_term], &b = terms[o.first_term + 1];
    Out z = result(o, table);
    In u = table + a.position;
    In v = table + b.position;
    for_orders<N, 0>(o, [&](auto k) { z[k] = a.factor * u[k] + b.factor * v[k]; });
    z[0] += o.number;
  }

  // T-mul, T-sqr.
  static void scale(const Operation& o, double* table, const SumTerm*) {
    const double factor = *argument(o, table, 0);
    Out z = result(o, table);
    In u = argument(o, table, 1);
    for_orders<N, 0>(o, [&](auto k) { z[k] = factor * u[k]; });
  }
  static void multiply(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table, 0), v = argument(o, table, 1);
    for_orders<N, 0>(
        o, [&](auto k) { z[k] = sum_up_to<0>(k, [&](auto j) { return u[j] * v[k - j]; }); });
  }
  static void square(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table);
    for_orders<N, 0>(o, [&](auto k) {
      const double twice =
          2.0 * sum_up_to<0>(half_below(k), [&](auto j) { return u[j] * u[k - j]; });
      z[k] = k % 2 == 0 ? twice + u[k / 2] * u[k / 2] : twice;
    });
  }

  // T-div. Everything is divided by v_0 beforehand, so that the recurrence is a product and a
  // difference per coefficient.
  static void divide(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table, 0), v = argument(o, table, 1);
    z[0] = u[0] / v[0];
    const double reciprocal = 1.0 / v[0];
    for_orders<N, 1>(o, [&](auto k) {
      const double known =
          reciprocal * u[k] - sum_up_to<2>(k, [&](auto j) { return reciprocal * v[j] * z[k - j]; });
      z[k] = known - reciprocal * v[1] * z[k - 1];
    });
  }
  static void divide_by_steady(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table, 0);
    const double reciprocal = 1.0 / *argument(o, table, 1);
    for_orders<N, 0>(o, [&](auto k) { z[k] = u[k] * reciprocal; });
  }
  // T-pow with r = -1: u z = 1.
  static void reciprocal(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table);
    const double first = 1.0 / u[0];
    z[0] = first;
    for_orders<N, 1>(o, [&](auto k) {
      z[k] = -sum_up_to<1>(k, [&](auto j) { return first * u[j] * z[k - j]; });
    });
  }
  // T-pow with r = 1/2: z^2 = u, 2 z_0 z_k = u_k - sum_{j=1..k-1} z_j z_{k-j}.
  static void square_root(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table);
    z[0] = std::sqrt(u[0]);
    const double factor = 0.5 / z[0];
    for_orders<N, 1>(o, [&](auto k) {
      z[k] = (u[k] - sum_up_to<1>(before(k), [&](auto j) { return z[j] * z[k - j]; })) * factor;
    });
  }
  // T-pow.
  static void raise(const Operation& o, double* table, double r) {
    Out z = result(o, table);
    In u = argument(o, table);
    z[0] = expr::apply_power(u[0], r);
    const double reciprocal = 1.0 / u[0];
    for_orders<N, 1>(o, [&](auto k) {
      const double sum =
          sum_up_to<1>(k, [&](auto j) { return ((r + 1.0) * j - k) * (u[j] * z[k - j]); });
      z[k] = (1.0 / k) * (sum * reciprocal);
    });
  }
  static void power(const Operation& o, double* table, const SumTerm*) {
    raise(o, table, o.number);
  }
  static void steady_power(const Operation& o, double* table, const SumTerm*) {
    raise(o, table, *argument(o, table, 1));
  }

  // T-exp and T-var: their own partners.
  static void exponential(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table);
    z[0] = std::exp(u[0]);
    for_orders<N, 1>(o, [&](auto k) { z[k] = by_derivative(k, u, z); });
  }
  static void varying_power(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table);
    z[0] = std::pow(*argument(o, table, 1), *argument(o, table, 2));
    for_orders<N, 1>(o, [&](auto k) { z[k] = by_derivative(k, u, z); });
  }

  // T-sin with T-cos, T-sinh with T-cosh: partners of each other.
  static void sine_and_cosine(const Operation& o, double* table, const SumTerm*) {
    Out s = result(o, table, 0), c = result(o, table, 1);
    In u = argument(o, table);
    sincos(u[0], s, c);
    for_orders<N, 1>(o, [&](auto k) {
      s[k] = by_derivative(k, u, c);
      c[k] = -by_derivative(k, u, s);
    });
  }
  static void hyperbolic_sine_and_cosine(const Operation& o, double* table, const SumTerm*) {
    Out s = result(o, table, 0), c = result(o, table, 1);
    In u = argument(o, table);
    s[0] = std::sinh(u[0]);
    c[0] = std::cosh(u[0]);
    for_orders<N, 1>(o, [&](auto k) {
      s[k] = by_derivative(k, u, c);
      c[k] = by_derivative(k, u, s);
    });
  }

  // T-tan, T-tanh: the partner g is 1 + z^2 or 1 - z^2, so that g_k = +-2 sum z_j z_{k-j}, ...
  template <int Sign>
  static void with_square(const Operation& o, double* table, double value) {
    Out z = result(o, table, 0), g = result(o, table, 1);
    In u = argument(o, table);
    z[0] = value;
    g[0] = 1.0 + Sign * (value * value);
    for_orders<N, 1>(o, [&](auto k) {
      z[k] = by_derivative(k, u, g);
      g[k] = Sign * sum_up_to<0>(k, [&](auto j) { return z[j] * z[k - j]; });
    });
  }
  static void tangent(const Operation& o, double* table, const SumTerm*) {
    with_square<1>(o, table, std::tan(*argument(o, table)));
  }
  static void hyperbolic_tangent(const Operation& o, double* table, const SumTerm*) {
    with_square<-1>(o, table, std::tanh(*argument(o, table)));
  }

  // T-fun, T-atan2.
  static void function(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table, 0), g = argument(o, table, 1);
    z[0] = expr::apply_unary(o.function, u[0]);
    for_orders<N, 1>(o, [&](auto k) { z[k] = by_derivative(k, u, g); });
  }
  static void angle(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In y = argument(o, table, 0), by_y = argument(o, table, 1);
    In x = argument(o, table, 2), minus_by_x = argument(o, table, 3);
    z[0] = std::atan2(y[0], x[0]);
    for_orders<N, 1>(
        o, [&](auto k) { z[k] = by_derivative(k, y, by_y) - by_derivative(k, x, minus_by_x); });
  }

  // T-abs, T-sign, T-min, T-max: the branch is chosen by the values at the point.
  static void absolute(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    In u = argument(o, table);
    const double sign = u[0] < 0 ? -1.0 : 1.0;
    for_orders<N, 0>(o, [&](auto k) { z[k] = sign * u[k]; });
  }
  static void sign(const Operation& o, double* table, const SumTerm*) {
    Out z = result(o, table);
    z[0] = expr::apply_unary(expr::Op::sign, *argument(o, table));
    for_orders<N, 1>(o, [&](auto k) { z[k] = 0.0; });
  }
  static void copy_branch(const Operation& o, double* table, bool is_first) {
    Out z = result(o, table);
    In u = argument(o, table, is_first ? 0 : 1);
    for_orders<N, 0>(o, [&](auto k) { z[k] = u[k]; });
  }
  static void minimum(const Operation& o, double* table, const SumTerm*) {
    copy_branch(o, table, *argument(o, table, 0) < *argument(o, table, 1));
  }
  static void maximum(const Operation& o, double* table, const SumTerm*) {
    copy_branch(o, table, *argument(o, table, 0) > *argument(o, table, 1));
  }

  static Kernel of(OperationKind kind) {
    switch (kind) {
      case OperationKind::sum: return sum;
      case OperationKind::scaled_sum: return scaled_sum;
      case OperationKind::sum_of_two: return sum_of_two;
      case OperationKind::scale: return scale;
      case OperationKind::multiply: return multiply;
      case OperationKind::square: return square;
      case OperationKind::divide: return divide;
      case OperationKind::divide_by_steady: return divide_by_steady;
      case OperationKind::reciprocal: return reciprocal;
      case OperationKind::square_root: return square_root;
      case OperationKind::power: return power;
      case OperationKind::steady_power: return steady_power;
      case OperationKind::varying_power: return varying_power;
      case OperationKind::exponential: return exponential;
      case OperationKind::sine_and_cosine: return sine_and_cosine;
      case OperationKind::hyperbolic_sine_and_cosine: return hyperbolic_sine_and_cosine;
      case OperationKind::tangent: return tangent;
      case OperationKind::hyperbolic_tangent: return hyperbolic_tangent;
      case OperationKind::function: return function;
      case OperationKind::angle: return angle;
      case OperationKind::absolute: return absolute;
      case OperationKind::sign: return sign;
      case OperationKind::minimum: return minimum;
      case OperationKind::maximum: return maximum;
    }
    base::report_bug("an operation on series", __FILE__, __LINE__);
  }
};

}  // namespace

Kernel kernel_of(OperationKind kind, int num_orders) {
  switch (num_orders) {
    case 1: return Kernels<1>::of(kind);
    case 2: return Kernels<2>::of(kind);
    case 3: return Kernels<3>::of(kind);
    case 4: return Kernels<4>::of(kind);
    case 5: return Kernels<5>::of(kind);
    case 6: return Kernels<6>::of(kind);
    case 7: return Kernels<7>::of(kind);
    case most_unrolled_orders: return Kernels<most_unrolled_orders>::of(kind);
    default: return Kernels<0>::of(kind);
  }
}

}  // namespace daedal::reduce
