// The ids of a line whose words have labels: word by word, so that each word begins with an id of its own.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "heed/core/random.h"
#include "heed/text/tokenizer.h"

namespace heed::text {

struct WordIds {
  Ids ids;
  std::vector<int64_t> begins;  ///< for each word, which stand between white space, the place of its first id
};

/// A word that the tokenizer makes nothing of has one id, kUnk. With `random`, segmentations are drawn.
WordIds word_ids(const Tokenizer& tokenizer, std::string_view line, RandomStream* random = nullptr);

}  // namespace heed::text
