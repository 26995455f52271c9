// The file of an ensemble's members: as many members as lines, or an Error that makes sense.
#include "cli/members.hpp"

#include <cmath>
#include <cstdint>

#include "fuzz/expect.hpp"
#include "lang/load.hpp"

namespace daedal {
namespace {

const Model& model_to_vary() {
  static const Model model = parse_model(R"(
model Varied
  parameter Real a = 1;
  parameter Real b[2] = {2, 3};
  parameter Integer n = 4;
  parameter Boolean on = true;
  parameter Integer size = 2 "structural";
  parameter Real 'a, "quoted" one' = 5;
  Real x[size](each start = a/b[1], each nominal = 1 + b[2]^2);
equation
  for i in 1:size loop
    der(x[i]) = if on then n*x[i] else 'a, "quoted" one'*a;
  end for;
end Varied;
)");
  return model;
}

void read(const lang::Source& source) {
  lang::check_encoding(source, "the members");
  const cli::Members members = cli::read_members(source, model_to_vary());
  fuzz::expect(members.size() > 0 && members.lines.size() == members.size(), "members have lines");
  for (std::size_t k = 0; k < members.size(); ++k)
    for (const auto& [name, value] : members[k])
      if (!std::isfinite(value)) fuzz::fail("a member's value is finite: " + name);
}

}  // namespace
}  // namespace daedal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  daedal::fuzz::expect_sound_errors([&] { daedal::read({.file = "members.csv", .text = text}); });
  return 0;
}
