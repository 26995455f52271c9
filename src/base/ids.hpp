// Small index types, so that an equation's number cannot be used where an unknown's is meant.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace daedal::base {

template <typename Tag>
struct Id {
  std::uint32_t value = none;

  static constexpr std::uint32_t none = 0xffffffffU;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}
  constexpr bool is_set() const { return value != none; }
  constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(Id, Id) =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 misreads <=>
};

}  // namespace daedal::base

template <typename Tag>
struct std::hash<daedal::base::Id<Tag>> {
  std::size_t operator()(daedal::base::Id<Tag> id) const noexcept { return id.value; }
};
