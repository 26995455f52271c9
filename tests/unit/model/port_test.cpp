// Functions of the fcn(T t, const T* z, T* f, void* param) interface, as printed in the literature,
// compile unchanged.
#include "daedal/port.hpp"

#include <gtest/gtest.h>

#include "expr/graph.hpp"
#include "model/model_data.hpp"
#include "problems/printed_listings/listings.hpp"

using namespace daedal::port;  // what a ported file would say

// clang-format off
// The style of the same paper's later listings: parameters by pointer, T from numbers, compound
// assignment, functions of t.
template <typename T>
void driven(T t, const T *z, T *f, void *param) {
  double *p = (double *)param;
  double a = p[0], w = p[1];
  T sum = 0;
  for (int i=0; i<2; i++) sum += sqr(z[i]);
  sum *= 0.5;
  sum -= exp(a)/6*cos(w*t);
  f[0] = sum + pow(a, 2) - sin(z[0])/sqrt(z[1]);
  f[1] = z[0] - a*sin(w*t) + atan2(z[1], z[0])*tanh(z[1]);
}
// clang-format on

namespace daedal {
namespace {

TEST(Port, figure_1_of_Pryce_et_al_2018_is_accepted_unchanged) {
  const Model model = make_model("Pendulum", 3, problems::printed::figure_1<Expression>, nullptr,
                                 {.variables = {"x", "y", "lambda"}});
  EXPECT_EQ(model.num_variables(), 3);
  EXPECT_EQ(model.data().equations[2].name, "f[2]");
  expr::Graph& g = *model.data().graph;
  const auto square = [&](int j) { return g.power(model.data().variables[j].node, 2); };
  EXPECT_EQ(model.data().equations[2].residual,
            g.subtract(g.add(square(0), square(1)), g.constant(100)));
}

TEST(Port, parameters_arithmetic_and_functions_of_time_work) {
  double p[] = {2.0, 3.0};
  const Model model = make_model("Driven", 2, driven<Expression>, p);
  EXPECT_EQ(model.data().variables[1].name, "z[1]");
  EXPECT_EQ(model.num_equations(), 2);
}

}  // namespace
}  // namespace daedal
