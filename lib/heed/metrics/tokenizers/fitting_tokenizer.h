// Suggests a tokenizer of BLEU for text that the default one, 13a, does not suit: text without spaces between words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heed::metrics {

/// Where at least half of the letters of a text's first lines are Chinese, Japanese or Korean, what to say of it:
/// "mostly Japanese, which the tokenizer 13a cuts at spaces and punctuation only: `OPTION` ja-mecab or char suits it".
/// The lines are well-formed UTF-8.
std::optional<std::string> advice_against_13a(std::span<const std::string> lines, std::string_view option);

}  // namespace heed::metrics
