// The form of the Lagrangian that ported functions use.
#include "daedal/port.hpp"

#include "mechanics/lagrangian.hpp"

namespace daedal::port {

using expr::NodeId;

void init_q_qp(const Expression* z, std::vector<Expression>& q, std::vector<Expression>& qp) {
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = z[i];
    qp[i] = der(z[i]);
  }
}

void setupEquations(const Expression& L, const Expression* z, const std::vector<Expression>& q,
                    const std::vector<Expression>&, const std::vector<Expression>& C,
                    Expression* f) {
  expr::Graph& graph = *z[0].graph();
  const auto node_of = [&](const Expression& e) {
    return e.is_number() ? graph.constant(e.number()) : NodeId(e.node());
  };
  mechanics::LagrangianParts parts;
  parts.function.node = node_of(L);
  for (std::size_t i = 0; i < q.size(); ++i) parts.coordinates.push_back({node_of(z[i]), {}});
  std::vector<NodeId> multipliers;
  for (std::size_t j = 0; j < C.size(); ++j) {
    multipliers.push_back(node_of(z[q.size() + j]));
    parts.constraints.push_back(
        {.name = {}, .left = node_of(C[j]), .right = graph.constant(0.0), .place = {}});
  }
  std::vector<mechanics::Finding> findings;
  const mechanics::System system = mechanics::system_of(graph, parts, multipliers, findings);
  mechanics::throw_if_any(findings);
  const mechanics::Motion motion = mechanics::equations_of_motion(graph, system);
  for (std::size_t i = 0; i < q.size(); ++i) f[i] = Expression::of(&graph, motion.left[i].value);
  for (std::size_t j = 0; j < C.size(); ++j) f[q.size() + j] = C[j];
}

}  // namespace daedal::port
