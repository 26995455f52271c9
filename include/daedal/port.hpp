// For people who bring equations written for a solver with the interface
//
//   template <typename T> void fcn(T t, const T* z, T* f, void* param)
//
// in which Diff(z[j], k) is the k-th derivative of unknown j and f[i] = 0 are the equations (Figure
// 1 of Pryce, Nedialkov, Tan and Li, 2018). Such a function is accepted as it is, but for an `if`
// on values of type T, which does not compile; if_else(condition, then, otherwise) takes its place,
// and the model gets a mode for each side:
//
//   #include <daedal/port.hpp>
//   using namespace daedal::port;       // Diff, sqr, sin, ... for numbers and for the type T
//
//   template <typename T> void fcn(T t, const T* z, T* f, void* param) { ... }
//
//   daedal::Model model = make_model("Pendulum", 3, fcn<daedal::Expression>);
//   model.set_start("z[0]", 10.0);        // x = 10: a guess
//   model.fix_start("der(z[1])", 1.0);    // y' = 1 must hold
//   daedal::Solution pendulum = daedal::solve(model, {.to = 100.0, .tolerance = 1e-12});
//
// Names of the unknowns, start values and so on may be given to make_model (PortOptions).
//
// A function that describes a mechanical system by its Lagrangian (Figures 2 and 6 and the appendix
// of that paper) is accepted, too: with L and the constraints C in the type B<T>,
//
//   vector<B<T>> q(n), qp(n), C(m);
//   init_q_qp(z, q, qp);                  // z[0], ... are the coordinates, then the multipliers
//   B<T> L = ...;  C[0] = ...;
//   setupEquations(L, z, q, qp, C, f);    // f[0], ... the equations of motion, then C
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "daedal/expression.hpp"
#include "daedal/location.hpp"
#include "daedal/model.hpp"
#include "daedal/vector.hpp"

namespace daedal::port {

inline double sqr(double a) { return a * a; }
inline Expression fabs(const Expression& a) { return daedal::abs(a); }
using std::fabs;
inline Expression Diff(const Expression& a, int order) { return daedal::der(a, order); }

// The functions that such code calls without a namespace, for numbers and expressions alike.
using daedal::abs, std::abs;
using daedal::acos, std::acos;
using daedal::acosh, std::acosh;
using daedal::asin, std::asin;
using daedal::asinh, std::asinh;
using daedal::atan, std::atan;
using daedal::atan2, std::atan2;
using daedal::atanh, std::atanh;
using daedal::cos, std::cos;
using daedal::cosh, std::cosh;
using daedal::erf, std::erf;
using daedal::exp, std::exp;
using daedal::log, std::log;
using daedal::log10, std::log10;
using daedal::max, std::max;
using daedal::min, std::min;
using daedal::pow, std::pow;
using daedal::sign;
using daedal::sin, std::sin;
using daedal::sinh, std::sinh;
using daedal::sqr;
using daedal::sqrt, std::sqrt;
using daedal::tan, std::tan;
using daedal::tanh, std::tanh;

// Where differentiation in the reverse mode needs a type of its own on top of T, code says B<T>.
// Here an expression can be differentiated as it is.
template <typename T>
using B = T;

template <typename T>
using Vector3D = Vector3<T>;
using daedal::cross, daedal::dot, daedal::norm;
using std::vector;

// Where such code takes its arrays apart as pointers, q + 1 is a pointer to the second element.
template <std::integral Offset>
Expression* operator+(std::vector<Expression>& elements, Offset offset) {
  return elements.data() + offset;
}

// q = z[0], z[1], ... and qp = their derivatives, as many as q has elements.
void init_q_qp(const Expression* z, std::vector<Expression>& q, std::vector<Expression>& qp);

// The Euler-Lagrange equations of L for coordinates q = z[0], ..., z[n-1] in f[0], ..., f[n-1],
// with multipliers z[n], ..., and the constraints C = 0 in f[n], ... Throws what add_lagrangian
// throws.
void setupEquations(const Expression& L, const Expression* z, const std::vector<Expression>& q,
                    const std::vector<Expression>& qp, const std::vector<Expression>& C,
                    Expression* f);

using Function = void (*)(Expression t, const Expression* z, Expression* f, void* param);

struct PortOptions {
  std::vector<std::string> variables = {};  // names of z[0], z[1], ...; default "z[0]", ...
  std::vector<std::string> equations = {};  // names of f[0], f[1], ...; default "f[0]", ...
  // Options of z[0], z[1], ...: start values {z, z', ...}, which of them must hold, nominal value
  // and so on; default: nothing is given.
  std::vector<VariableOptions> unknowns = {};
};

// Calls `fcn` once with expressions for z and records f[0] = 0, ..., f[size-1] = 0. `param` is
// passed on untouched; what it points to is read during this call only. Throws Error E-MOD-012 if
// size < 1 or a list has another length than size and is not empty.
// Numbers that `fcn` reads through `param` become part of the equations.
Model make_model(const std::string& name, int size, Function fcn, void* param = nullptr,
                 const PortOptions& options = {}, Location place = Location::current());

// Names and default values of a model's parameters.
using PortParameters = std::vector<std::pair<std::string, double>>;
// As the function above, but the model gets these parameters, whose values can be set from run to
// run. `fcn` reads them as (const T*)param: `param` points to an array of them in this order, which
// is valid during this call only.
Model make_model(const std::string& name, int size, Function fcn, const PortParameters& parameters,
                 const PortOptions& options = {}, Location place = Location::current());

}  // namespace daedal::port
