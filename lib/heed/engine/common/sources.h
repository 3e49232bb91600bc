// Source sentences, concatenated without padding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::engine {

struct Sources {
  std::vector<int32_t> tokens;     ///< each sentence's ids, then end-of-sentence
  std::vector<int64_t> begins{0};  ///< sentence i has the tokens [begins[i], begins[i + 1])

  /// ids: without end-of-sentence.
  void add(std::span<const int32_t> ids) {
    tokens.insert(tokens.end(), ids.begin(), ids.end());
    tokens.push_back(text::kEos);
    begins.push_back(static_cast<int64_t>(tokens.size()));
  }

  int64_t sentences() const { return static_cast<int64_t>(begins.size()) - 1; }
  int64_t size() const { return begins.back(); }
  int64_t length(int64_t sentence) const {
    return begins[static_cast<size_t>(sentence) + 1] - begins[static_cast<size_t>(sentence)];
  }
};

}  // namespace heed::engine
