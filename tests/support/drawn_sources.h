// Source sentences drawn for tests of search.
#pragma once

#include <cstddef>
#include <vector>

#include "heed/core/random.h"
#include "heed/text/tokenizer.h"

namespace heed::testing {

/// Of `shortest` to `longest` ids of `words` words behind the special ones.
inline std::vector<text::Ids> drawn_sources(size_t count, uint64_t shortest, uint64_t longest, uint64_t words) {
  constexpr int32_t kFirstWord = text::kEos + 1;
  RandomStream random(3, Purpose::Test);
  std::vector<text::Ids> all(count);
  for (text::Ids& ids : all) {
    ids.resize(shortest + random.below(longest - shortest + 1));
    for (int32_t& id : ids) id = kFirstWord + static_cast<int32_t>(random.below(words));
  }
  return all;
}

}  // namespace heed::testing
