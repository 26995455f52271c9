// Checkpoints, whole or in parts: the first byte says which. Whatever the bytes are, they are
// refused or make sense.
#include <cmath>
#include <string_view>

#include "base/archive.hpp"
#include "daedal/error.hpp"
#include "fuzz/expect.hpp"
#include "run/checkpoints.hpp"
#include "solution/results.hpp"

namespace {

using namespace daedal;

void read_file(std::string_view bytes) {
  try {
    run::parse_checkpoint_file("fuzz.checkpoint", bytes);
  } catch (const Error& error) {
    const std::string& id = error.problems().front().id;
    fuzz::expect(id == "E-CHK-002" || id == "E-CHK-003", "a checkpoint is refused by name");
  }
}

void read_content(std::string_view bytes) {
  try {
    run::parse_checkpoint(bytes);
  } catch (const base::BadArchive&) {
  }
}

// Results of a run of two variables, and what is asked of them afterwards.
void read_results(std::string_view bytes, bool keep_steps) {
  solution::Record solution;
  solution.variables = {"x", "y"};
  try {
    base::Reader reader(bytes);
    solution::read_results(reader, solution, keep_steps);
  } catch (const base::BadArchive&) {
    return;
  }
  const solution::Trajectory* trajectory = solution.trajectory.get();
  if (trajectory != nullptr && !trajectory->is_empty()) {
    fuzz::expect(keep_steps, "steps are kept only if they are wanted");
    for (const double t : {trajectory->begin(), trajectory->end()})
      if (trajectory->contains(t)) trajectory->at(t).value(1, t, 0);
  }
  for (const Event& event : solution.events)
    fuzz::expect(!to_string(event.kind).empty(), "every event has a kind");
  // Written again and read again, they are the same bytes.
  base::Writer once, twice;
  solution::ResultMark(solution).write(once, solution);
  solution::Record again;
  again.variables = solution.variables;
  base::Reader reader(once.bytes());
  solution::read_results(reader, again, keep_steps);
  solution::ResultMark(again).write(twice, again);
  fuzz::expect(once.bytes() == twice.bytes(), "results survive being written and read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0: read_file(bytes); break;
    case 1: read_content(bytes); break;
    case 2: read_results(bytes, true); break;
    default: read_results(bytes, false); break;
  }
  return 0;
}
