// The tokens and n-grams that a hypothesis already has.
#pragma once

#include <cstdint>
#include <span>

#include "heed/text/tokenizer.h"

namespace heed::search {

/// The tokens that would repeat an n-gram of the hypothesis, without duplicates, ascending. n: at least 1. Paulus et
/// al. 2017 (https://arxiv.org/abs/1705.04304, section 2.5) use n = 3.
text::Ids repeating(std::span<const int32_t> hypothesis, int64_t n);

/// The tokens of the hypothesis, without duplicates, ascending.
text::Ids distinct(std::span<const int32_t> hypothesis);

}  // namespace heed::search
