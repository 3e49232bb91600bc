// Source sentences side by side, without padding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::engine {

struct Sources {
  std::vector<int32_t> tokens;     ///< each sentence's ids and end-of-sentence
  std::vector<int64_t> begins{0};  ///< sentence i has the tokens [begins[i], begins[i + 1])

  int64_t sentences() const { return static_cast<int64_t>(begins.size()) - 1; }
  int64_t size() const { return begins.back(); }
  int64_t length(int64_t sentence) const {
    return begins[static_cast<size_t>(sentence) + 1] - begins[static_cast<size_t>(sentence)];
  }
};

}  // namespace heed::engine
