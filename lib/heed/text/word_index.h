// Finds the word of each piece of a text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::text {

/// The joined `pieces` are a text whose words are separated by white space. For each piece: the index of the word of
/// its first character that is not white space. A piece of only white space belongs to the next word. -1: the piece is
/// empty, or there is no next word.
std::vector<int64_t> word_index(const std::vector<std::string>& pieces);
/// The same, with the words.
LineWords joined_words(const std::vector<std::string>& pieces);

}  // namespace heed::text
