// Machine code and interpreter do the same operations: all coefficients of all slots agree bit by
// bit.
#include <gtest/gtest.h>

#include <cstring>

#include "../taylor/stages.hpp"
#include "jit/compiler.hpp"
#include "jit/lower_stages.hpp"

namespace daedal::jit {
namespace {

std::shared_ptr<const taylor::CompiledStages> compile(const taylor::SeriesSolver& series) {
  const Compiler& compiler = Compiler::of_installation();
  const StageCode code = lower_stages(series.program(), series.schedule());
  const std::vector<std::string> objects = {compiler.compile(code, 0, code.pieces.size())};
  return compiler.link(code, objects);
}

TEST(CompiledStages, give_the_bits_of_the_interpreter_on_the_pendulum) {
  taylor::Stages interpreted = taylor::pendulum(20), compiled = taylor::pendulum(20);
  for (taylor::Stages* s : {&interpreted, &compiled}) {
    s->series->coefficient(0, 0) = 0.6;
    s->series->coefficient(1, 0) = 0.8;
    s->series->coefficient(0, 1) = 0.8;
    s->series->coefficient(1, 1) = -0.6;
  }
  compiled.series->use(compile(*compiled.series));
  ASSERT_TRUE(interpreted.solve().ok());
  ASSERT_TRUE(compiled.solve().ok());
  for (int k = 0; k <= interpreted.series->highest_degree(); ++k)
    for (taylor::Slot slot = 0; slot < interpreted.series->schedule().offset.size(); ++slot)
      EXPECT_EQ(interpreted.series->slot_coefficient(slot, k),
                compiled.series->slot_coefficient(slot, k))
          << "slot " << slot << " order " << k;
}

}  // namespace
}  // namespace daedal::jit
