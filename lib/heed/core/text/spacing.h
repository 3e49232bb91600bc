// Spaces between the parts of a line.
#pragma once

#include <string_view>

namespace heed {

/// Whether to put a space between two sentences of a translation. The characters where they meet decide:
///
/// - No space next to East Asian punctuation (U+3002, U+FF01, U+300C, ...), whose glyphs include white space.
/// - No space between letters of Chinese, Japanese and other wide scripts except Hangul. The last letter of `left` and
///   the first one of `right` count; punctuation and digits between them are skipped, because text may have ASCII
///   punctuation. If one of the texts has no letter, the letter of the other decides.
/// - A space in all other cases. Thai, Lao, Khmer and Burmese have no spaces between words, but they have them between
///   sentences.
///
/// No space is needed if a text is empty, or if there is white space already. Both are well-formed UTF-8.
bool blank_between(std::string_view left, std::string_view right);

/// Whether a word ends where two parts of a source meet without white space. It does if the letter or digit on either
/// side belongs to a script without spaces between words (Han, Hiragana, Katakana, Thai, Lao, Khmer, Burmese, ...). It
/// also does next to East Asian punctuation. Otherwise the line was split inside a word. Both are well-formed UTF-8.
bool word_ends_between(std::string_view left, std::string_view right);

}  // namespace heed
