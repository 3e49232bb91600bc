// Suggests another BLEU tokenizer for text without spaces between words, which the default 13a does not suit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heed::metrics {

/// If at least half of the letters in the first lines are Chinese, Japanese or Korean, an advice such as "mostly
/// Japanese, which the tokenizer 13a cuts at spaces and punctuation only: `OPTION` ja-mecab or char suits it". lines:
/// well-formed UTF-8.
std::optional<std::string> advice_against_13a(std::span<const std::string> lines, std::string_view option);

}  // namespace heed::metrics
