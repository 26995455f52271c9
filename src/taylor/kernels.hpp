// The convolutions of taylor/rules.hpp for many series at once: like operations stand side by side
// in rows, and a processor's vectors run along the rows (docs/theory/packed-kernels.md).
//
// One source, kernels_body.hpp, is compiled for several instruction sets; the best one that the
// processor has is chosen when the program runs. All give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace daedal::taylor {

// Coefficients of neighbouring series: row k begins at first + k * stride.
struct Rows {
  const double* first = nullptr;
  std::size_t stride = 0;

  const double* row(int k) const { return first + static_cast<std::size_t>(k) * stride; }
};

// Series, up to x_last, and values that they must not come near to.
struct Approaches {
  Rows x;
  int last = 0;
  const std::size_t* places = nullptr;
  const double* edges = nullptr;
  double part = 1.0;  // of the distance
};

// Series, up to x_last, whose last terms are compared with their first ones.
struct Endings {
  Rows x;
  int last = 0;
  const std::size_t* places = nullptr;
  double part = 0.0;   // of the first terms that the last ones may be
  double still = 0.0;  // the part of x_0 below which a series hardly moves
};

// Sums sum_a coefficients[a] * x[slots[a]], one per destination; destination i has the terms
// starts[i] ... starts[i+1] - 1, added in this order, beginning with the first product.
struct Sums {
  const std::uint32_t* starts = nullptr;
  const std::uint32_t* slots = nullptr;
  const double* coefficients = nullptr;  // [term][lane]
  std::uint32_t terms_of_all = 0;        // if all sums have so many terms; else 0
};

// The exact sums of x and s rest + lost, times factor, and what rounding left of them.
struct Prediction {
  const double *x = nullptr, *rest = nullptr, *s = nullptr, *lost = nullptr, *factor = nullptr;
  double *predicted = nullptr, *lost_now = nullptr;
  double* magnitude = nullptr;  // factor (|x| + |s rest|)
};

// |found - predicted| * power relative to allowed * scale + noise * magnitude.
struct Comparison {
  const double *found = nullptr, *predicted = nullptr;  // [column][lane]
  const double *scale = nullptr, *noise = nullptr, *magnitude = nullptr;
  const double *power = nullptr, *allowed = nullptr;  // [lane]
};

// Kernels read up to this many doubles beyond the end of a row.
inline constexpr std::size_t kernel_overrun = 8;

// width: doubles in a row, that is operations times lanes. z: the row of coefficient k.
struct Kernels {
  const char* name;
  void (*multiply)(int k, Rows u, Rows v, double* z, std::size_t width);
  void (*square)(int k, Rows u, double* z, std::size_t width);
  // z holds u_k at first; reciprocal: 1/v_0.
  void (*divide)(int k, Rows v, Rows quotient, const double* reciprocal, double* z,
                 std::size_t width);
  // reciprocal: 1/u_0.
  void (*power)(int k, double exponent, Rows u, Rows result, const double* reciprocal, double* z,
                std::size_t width);
  // weighted: j u_j.
  void (*function)(int k, Rows weighted, Rows partner, double* z, std::size_t width);
  // to[i] = weight * row[slots[i]], `lanes` doubles each.
  void (*gather)(const double* row, const std::uint32_t* slots, std::size_t count,
                 std::size_t lanes, double weight, double* to);
  // sum = sum_{k=first..last} weights[k] x_k s^(k-first), by Horner's rule; zero if last < first.
  void (*horner)(Rows x, int first, int last, const double* s, const double* weights, double* sum,
                 std::size_t width);
  void (*predict)(const Prediction& prediction, std::size_t width);
  // largest[lane] becomes the largest of itself and |x|/scale of the columns; NaN is passed over.
  void (*largest_ratio)(const double* x, const double* scale, std::size_t columns,
                        std::size_t lanes, double* largest);
  // largest[lane] becomes the largest of itself and the comparisons of the columns; infinite if
  // one of them is not finite.
  void (*largest_error)(const Comparison& comparison, std::size_t columns, std::size_t lanes,
                        double* largest);
  // Whether rows 0 ... last are. May say no because of what stands after the rows' ends.
  bool (*are_finite)(Rows x, int last, std::size_t width);
  // excess[i] = sum_{k=1..last} |x_k| s^k - part |x_0 - edges[i]| of the series at places[i] of the
  // rows: positive where the terms, together, are more than this part of the distance from the
  // edge.
  void (*excess)(const Approaches& approaches, std::size_t count, double s, double* excess);
  // measures[i] is negative where the series at places[i] of the rows moves and comes to an end on
  // the way to s: with m = |x_1| s + |x_2| s^2 and the sizes of the last three terms (x_1 and x_2 are
  // none of them) the larger of last - part m and still |x_0| - m. True if all are negative.
  bool (*settle)(const Endings& endings, std::size_t count, double s, double* measures);
  // z[i] = sum i of the row's entries.
  void (*sum)(const Sums& sums, const double* row, double* z, std::size_t count, std::size_t lanes);
};

// The best set that this processor has.
const Kernels& best_kernels();

// Those that this processor has, slowest first; for tests.
std::size_t available_kernels(const Kernels* (&found)[3]);

}  // namespace daedal::taylor
