// Reads numbers.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace heed {

/// The number that is all of the text, in decimal digits, with a minus sign at most before them; absent where the text
/// is none, or the type is too small for it.
template <class Number>
std::optional<Number> parsed_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace heed
