// Encodes the line for a model with word labels: word by word, so that each word has its own first id.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "heed/core/random.h"
#include "heed/text/tokenizer.h"

namespace heed::text {

struct WordIds {
  Ids ids;
  std::vector<int64_t> begins;  ///< for each word (separated by white space) the position of its first id
};

/// A word that the tokenizer encodes as no ids gets one id, kUnk. With `random`, segmentations are sampled.
WordIds word_ids(const Tokenizer& tokenizer, std::string_view line, RandomStream* random = nullptr);

}  // namespace heed::text
