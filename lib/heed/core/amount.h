// An amount of training in steps, target tokens or epochs. The unit is part of the value: "4000", "50Mt", "10e".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace heed {

enum class AmountUnit { Steps, Tokens, Epochs };

/// `value` steps, target tokens (end-of-sentence counted, padding not) or epochs.
struct Amount {
  double value = 0;
  AmountUnit unit = AmountUnit::Steps;
  bool operator==(const Amount&) const = default;
};

/// How much training is done, in every unit.
struct Progress {
  double steps = 0;
  double tokens = 0;
  double epochs = 0;  ///< with the fraction of the current epoch
  double in(AmountUnit unit) const;
};

/// Parses "4000" or "4000s" (steps), "50Mt" (tokens; k, M, G multiply by 10^3, 10^6, 10^9) or "2.5e" (epochs). Throws
/// std::invalid_argument if `text` is not an amount.
Amount parse_amount(std::string_view text);
/// The shortest text that parse_amount parses as `amount`. Steps have no unit.
std::string format_amount(const Amount& amount);

}  // namespace heed
