// What a hypothesis has said already.
#pragma once

#include <cstdint>
#include <span>

#include "heed/text/tokenizer.h"

namespace heed::search {

/// The tokens that would make the last n tokens of a hypothesis some that it has (Paulus et al. 2017,
/// https://arxiv.org/abs/1705.04304, section 2.5, for n = 3), each once, ascending. n: at least 1.
text::Ids repeating(std::span<const int32_t> hypothesis, int64_t n);

/// The tokens that it has, each once, ascending.
text::Ids distinct(std::span<const int32_t> hypothesis);

}  // namespace heed::search
