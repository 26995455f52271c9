#include "taylor/kernels.hpp"

#include "base/machine.hpp"

namespace daedal::taylor {

namespace sse2 {
extern const Kernels kernels;
}
#ifdef __x86_64__
namespace avx2 {
extern const Kernels kernels;
}
namespace avx512 {
extern const Kernels kernels;
}
#endif

std::size_t available_kernels(const Kernels* (&found)[3]) {
  std::size_t count = 0;
  found[count++] = &sse2::kernels;
#ifdef __x86_64__
  const base::InstructionSet best = base::best_instruction_set();
  if (best >= base::InstructionSet::avx2) found[count++] = &avx2::kernels;
  if (best >= base::InstructionSet::avx512) found[count++] = &avx512::kernels;
#endif
  return count;
}

const Kernels& best_kernels() {
  static const Kernels& best = []() -> const Kernels& {
    const Kernels* found[3];
    return *found[available_kernels(found) - 1];
  }();
  return best;
}

}  // namespace daedal::taylor
