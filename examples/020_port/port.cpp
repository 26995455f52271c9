// Lesson 2: a function written for another solver's fcn(t, z, f, param) interface, unchanged, and
// what is wrong with a model.
#include <cstdio>
#include <daedal/daedal.hpp>
#include <daedal/port.hpp>

using namespace daedal::port;

// A prescribed-trajectory problem: u is the force that makes x follow a sin(w t).
template <typename T>
void fcn(T t, const T* z, T* f, void* param) {
  const double* p = static_cast<const double*>(param);
  const double g = 9.8, l = 10, a = p[0], w = p[1];
  f[0] = Diff(z[0], 2) + z[2] * z[0] - z[3];
  f[1] = Diff(z[1], 2) + z[2] * z[1] - g;
  f[2] = sqr(z[0]) + sqr(z[1]) - sqr(l);
  f[3] = z[0] - a * sin(w * t);
}

int main() {
  double param[] = {5.0, 0.99};
  const auto model = make_model("ControlledPendulum", 4, fcn<daedal::Expression>, param,
                                {.variables = {"x", "y", "lambda", "u"}, .equations = {}});
  const daedal::Analysis a = daedal::analyze(model);
  for (int i = 0; i < a.size(); ++i)
    std::printf("%s: c = %d    %s: d = %d\n", a.equations[i].c_str(), a.c[i],
                a.variables[i].c_str(), a.d[i]);
  std::printf("degrees of freedom: %d; blocks solved one after another: %zu\n", a.dof,
              a.blocks.size());
}
