// An amount of training: updates, target tokens or epochs, with the unit in the value itself ("4000", "50Mt", "10e").
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace heed {

enum class AmountUnit { Updates, Tokens, Epochs };

/// `value` updates, target tokens (end-of-sentence included, padding not) or epochs.
struct Amount {
  double value = 0;
  AmountUnit unit = AmountUnit::Updates;
  bool operator==(const Amount&) const = default;
};

/// How much training has been done, in every unit.
struct Progress {
  double updates = 0;
  double tokens = 0;
  double epochs = 0;  ///< fractional within an epoch
  double in(AmountUnit unit) const;
};

/// Reads "4000" or "4000u" (updates), "50Mt" (tokens; k, M, G multiply by 10^3, 10^6, 10^9), "2.5e" (epochs).
/// Throws std::invalid_argument when `text` is no amount.
Amount parse_amount(std::string_view text);
/// The shortest text that parse_amount reads back as `amount`; updates carry no unit.
std::string format_amount(const Amount& amount);

}  // namespace heed
