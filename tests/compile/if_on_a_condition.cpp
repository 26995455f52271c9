// A ported function with an `if` on a value of type T must not compile, and the compiler's message
// must name if_else.
#include <daedal/port.hpp>

template <typename T>
void fcn(T /*t*/, const T* z, T* f, void* /*param*/) {
  if (z[0] > 1)
    f[0] = z[0];
  else
    f[0] = -z[0];
}

const auto model = daedal::port::make_model("Branch", 1, fcn<daedal::Expression>);
