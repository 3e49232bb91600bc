// Lines to learn tokenizers from.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "heed/core/random.h"
#include "heed/text/tokenizers/learn_tokenizers.h"

namespace heed::text::testing {

/// A source that gives `lines` once.
inline LineSource source_of(std::vector<std::string> lines) {
  return [lines = std::move(lines), next = size_t{0}](std::string& line) mutable {
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  };
}

/// 400 sentences over some dozen English-like words; the same at every call.
inline std::vector<std::string> small_corpus() {
  constexpr std::array<std::string_view, 16> kWords{"the",     "a",       "dog",    "dogs",    "bark",  "barks",
                                                    "barking", "house",   "houses", "housing", "great", "greater",
                                                    "walks",   "walking", "über",   "café"};
  RandomStream random(1, Purpose::Test);
  std::vector<std::string> lines(400);
  for (std::string& line : lines) {
    for (uint64_t word = 0; word < 3 + random.below(8); ++word) {
      line += std::string(word > 0 ? " " : "") + std::string(kWords[random.below(kWords.size())]);
    }
    line += '.';
  }
  return lines;
}

inline std::shared_ptr<const Tokenizer> learn_one(const TokenizerOptions& options,
                                                  std::vector<std::string> lines = small_corpus()) {
  return learn_tokenizers(options, {}, source_of(std::move(lines))).target;
}

}  // namespace heed::text::testing
