// White space between the parts of a line.
#pragma once

#include <string_view>

namespace heed::translation {

/// Whether a blank belongs between two sentences of a translation, by the characters where they meet:
///
/// - no blank next to East Asian punctuation (U+3002, U+FF01, U+300C, ...), which brings its own white space;
/// - no blank between letters of Chinese, Japanese and other wide scripts except Hangul. The letters that count are the
///   last one of `left` and the first one of `right`, whatever punctuation and digits are between them: text may have
///   ASCII punctuation. If one of the texts has no letter, that of the other counts;
/// - a blank between all others. Thai, Lao, Khmer and Burmese have none between words, but do have one between
///   sentences.
///
/// An empty text, or white space that is there already, needs no blank. Both are well-formed UTF-8.
bool blank_between(std::string_view left, std::string_view right);

/// Whether a word ends where two parts of a source meet without white space: one of the letters or digits there is of a
/// script without blanks between words (Han, Hiragana, Katakana, Thai, Lao, Khmer, Burmese, ...), or one of the two
/// characters is East Asian punctuation. Otherwise the line was cut inside a word. Both are well-formed UTF-8.
bool word_ends_between(std::string_view left, std::string_view right);

}  // namespace heed::translation
