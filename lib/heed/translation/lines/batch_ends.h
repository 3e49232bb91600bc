// Divides lines that are sorted by length into batches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heed::translation {

/// The ends of batches of at most `limit` tokens, padding included. A longer line is a batch of its own.
inline std::vector<size_t> batch_ends(std::span<const size_t> lengths, int64_t limit) {
  std::vector<size_t> ends;
  size_t begin = 0, longest = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const size_t wider = std::max(longest, lengths[i]);
    if (i > begin && (i + 1 - begin) * wider > static_cast<size_t>(limit)) {
      ends.push_back(begin = i);
      longest = lengths[i];
    } else {
      longest = wider;
    }
  }
  if (begin < lengths.size()) ends.push_back(lengths.size());
  return ends;
}

}  // namespace heed::translation
