// The word that each piece of a text belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::text {

/// `pieces` together are a text; for each piece the index of the white-space-separated word of its first character that
/// is no white space. A piece of nothing but white space belongs to the word after it. -1: an empty piece, or no word
/// left.
std::vector<int64_t> word_index(const std::vector<std::string>& pieces);
/// The same with the words.
LineWords joined_words(const std::vector<std::string>& pieces);

}  // namespace heed::text
