#include "heed/core/amount.h"

#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace heed {

double Progress::in(AmountUnit unit) const {
  switch (unit) {
    case AmountUnit::Steps:
      return steps;
    case AmountUnit::Tokens:
      return tokens;
    case AmountUnit::Epochs:
      return epochs;
  }
  return steps;
}

Amount parse_amount(std::string_view text) {
  Amount amount;
  const char* end = text.data() + text.size();
  // With "fixed", from_chars does not read an `e`: 10e is ten epochs, not an incomplete exponent.
  const auto [rest, error] = std::from_chars(text.data(), end, amount.value, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(amount.value)) throw std::invalid_argument("no number");
  std::string_view unit(rest, static_cast<size_t>(end - rest));
  if (!unit.empty()) {
    constexpr std::string_view kPrefixes = "kMG";
    if (const size_t power = kPrefixes.find(unit[0]); power != std::string_view::npos) {
      amount.value *= std::pow(1000.0, static_cast<double>(power + 1));
      unit.remove_prefix(1);
    }
  }
  if (unit.empty() || unit == "s" || unit == "u") return amount;  // u: updates, the former name of steps
  if (unit == "t")
    amount.unit = AmountUnit::Tokens;
  else if (unit == "e")
    amount.unit = AmountUnit::Epochs;
  else
    throw std::invalid_argument("no such unit");
  return amount;
}

std::string format_amount(const Amount& amount) {
  constexpr std::array<std::string_view, 3> kUnits{"", "t", "e"};
  const std::string_view unit = kUnits[static_cast<size_t>(amount.unit)];
  if (amount.value == std::floor(amount.value) && std::abs(amount.value) < 1e15) {
    return fmt::format("{}{}", static_cast<int64_t>(amount.value), unit);
  }
  std::array<char, 512> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), amount.value, std::chars_format::fixed);
  return fmt::format("{}{}", std::string_view(digits.data(), static_cast<size_t>(end - digits.data())), unit);
}

}  // namespace heed
