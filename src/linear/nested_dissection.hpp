// An order of elimination for matrices of meshes: separators last (METIS, through CHOLMOD).
#pragma once

#include <span>

namespace daedal::linear {

// The pattern of a square matrix by columns, with a zero-free diagonal: `order` becomes that of
// rows and columns. False if there is none.
template <typename Index>
bool dissect(std::span<const Index> starts, const Index* rows, Index* order);

// dissect() in the form that KLU asks for: 0 is failure.
template <typename Index, typename Common>
Index dissect_for_klu(Index size, Index* starts, Index* rows, Index* order, Common*) {
  constexpr Index unknown_fill_in = -1;
  const std::span<const Index> columns(starts, static_cast<std::size_t>(size) + 1);
  return dissect<Index>(columns, rows, order) ? unknown_fill_in : 0;
}
inline constexpr int klu_user_order = 3;  // of KLU's choices

}  // namespace daedal::linear
