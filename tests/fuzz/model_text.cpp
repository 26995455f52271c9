// A model text is untrusted: whatever the bytes, there is a model or an Error that makes sense.
#include <cstdint>

#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "fuzz/expect.hpp"
#include "lang/load.hpp"
#include "model/check.hpp"
#include "structure/signature.hpp"
#include "structure/structure.hpp"

namespace daedal {
namespace {

constexpr ModelLimits limits = {.max_elements = 1000};

std::vector<expr::NodeId> residuals_of(const model::ModelData& model) {
  std::vector<expr::NodeId> residuals;
  for (const model::Equation& equation : model.equations) {
    (void)expr::to_text(*model.graph, equation.left);
    residuals.push_back(equation.residual);
  }
  return residuals;
}

// What every verb does with a model first.
void study(const model::ModelData& model) {
  model::check(model);
  const expr::Simplified equations = expr::simplify(*model.graph, residuals_of(model));
  const structure::SignatureMatrix sigma =
      structure::signature_of(*equations.graph, equations.roots);
  if (!structure::diagnose(sigma).is_regular()) return;
  const structure::Structure structure = structure::analyze_structure(sigma);
  fuzz::expect(structure.c.size() == model.equations.size(), "an offset for each equation");
  fuzz::expect(structure.index >= 0, "no negative index");
}

}  // namespace
}  // namespace daedal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  daedal::fuzz::expect_sound_errors([&] {
    daedal::study(daedal::lang::model_from({.file = "model.mo", .text = text}, {}, daedal::limits));
  });
  return 0;
}
