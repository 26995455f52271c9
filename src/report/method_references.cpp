#include "report/method_references.hpp"

#include "daedal/method.hpp"

namespace daedal::report {
namespace {

const Reference structural_analysis = {
    "structural analysis",
    "Pryce, J. D. (2001): A simple structural analysis method for DAEs. BIT 41(2), 364-394"};
const Reference blocks = {
    "blocks and initial values",
    "Pryce, J. D., Nedialkov, N. S., Tan, G. (2015): DAESA: A MATLAB tool for structural analysis "
    "of differential-algebraic equations: theory. ACM Transactions on Mathematical Software 41(2)"};
const Reference conversion = {
    "conversion of a model whose structural analysis fails",
    "Tan, G., Nedialkov, N. S., Pryce, J. D. (2017): Conversion methods for improving structural "
    "analysis of differential-algebraic equation systems. BIT 57"};
const Reference taylor = {
    "Taylor series of differential-algebraic equations",
    "Nedialkov, N. S., Pryce, J. D. (2007): Solving differential-algebraic equations by Taylor "
    "series (II): Computing the system Jacobian. BIT 47, 121-135"};
const Reference taylor_order = {
    "order and step of the Taylor method",
    "Jorba, A., Zou, M. (2005): A software package for the numerical integration of ODEs by means "
    "of high-order Taylor methods. Experimental Mathematics 14(1), 99-117"};
const Reference derivative_array = {
    "derivative array: index, consistent values, singularities",
    "Estevez Schwarz, D., Lamour, R. (2019): InitDAE: Computation of consistent values, index "
    "determination and diagnosis of singularities of DAEs using automatic differentiation in "
    "Python. Journal of Computational and Applied Mathematics"};
const Reference completion = {
    "completion of a differential-algebraic equation",
    "Campbell, S. L., Hollenbeck, R. (1996): Automatic differentiation and implicit differential "
    "equations. Computational Differentiation, SIAM"};
const Reference dummy_derivatives = {
    "dummy derivatives",
    "Mattsson, S. E., Soderlind, G. (1993): Index reduction in differential-algebraic equations "
    "using dummy derivatives. SIAM Journal on Scientific Computing 14(3), 677-692"};
const Reference lagrangian = {
    "dummy derivatives and Lagrangians by automatic differentiation",
    "Pryce, J. D., Nedialkov, N. S., Tan, G., Li, X. (2018): How AD can help solve "
    "differential-algebraic equations. Optimization Methods and Software"};
const Reference sundials = {
    "SUNDIALS: ARKODE and IDA",
    "Hindmarsh, A. C. et al. (2005): SUNDIALS: Suite of nonlinear and differential/algebraic "
    "equation solvers. ACM Transactions on Mathematical Software 31(3), 363-396"};
const Reference bdf = {"backward differentiation formulas",
                       "Hairer, E., Wanner, G. (1996): Solving Ordinary Differential Equations II. "
                       "Stiff and Differential-Algebraic Problems. Springer, 2nd edition"};
const Reference root_isolation = {"isolation of the first event",
                                  "Collins, G. E., Akritas, A. G. (1976): Polynomial real root "
                                  "isolation using Descartes' rule of signs. SYMSAC '76, 272-275"};

std::vector<Reference> references_of(Method method) {
  switch (method) {
    case Method::automatic:
    case Method::taylor: return {taylor, taylor_order};
    case Method::array: return {derivative_array};
    case Method::completion: return {derivative_array, completion};
    case Method::dd_erk:
    case Method::dd_ida: return {dummy_derivatives, lagrangian, sundials};
    case Method::bdf: return {bdf};
  }
  return {};
}

}  // namespace

std::vector<Reference> references_of(const Analysis& analysis, const Solution* solution) {
  std::vector<Reference> list = {structural_analysis, blocks};
  if (analysis.conversion) list.push_back(conversion);
  if (solution == nullptr) return list;
  if (const MethodInfo* method = find_method(solution->method())) {
    const std::vector<Reference> own = references_of(method->method);
    list.insert(list.end(), own.begin(), own.end());
  }
  if (!solution->events().empty()) list.push_back(root_isolation);
  return list;
}

}  // namespace daedal::report
