// Enums with names. `option_names(E)`, declared next to the enum, lists each value with its name for command lines,
// files and signatures (see core/options.h).
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

namespace heed {

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E value) { option_names(value); };

/// The name of a value; every value has one.
template <NamedEnum E>
constexpr std::string_view enum_name(E value) {
  for (const auto& [candidate, name] : option_names(value)) {
    if (candidate == value) return name;
  }
  return {};
}

/// The value with this name, if any.
template <NamedEnum E>
constexpr std::optional<E> enum_value(std::string_view name) {
  for (const auto& [candidate, candidate_name] : option_names(E{})) {
    if (candidate_name == name) return candidate;
  }
  return std::nullopt;
}

}  // namespace heed
