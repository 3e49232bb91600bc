// Splits a line into sentences.
#pragma once

#include <string_view>
#include <vector>

namespace heed::translation {

/// The sentences of `line`. Concatenated, they are `line` again. A sentence ends at a sentence boundary of Unicode (UAX
/// 29, by ICU, independent of the language). It also ends after a separate punctuation mark, as in tokenized text ("a
/// cat . a dog ."). An ASCII mark inside a word, as in http://a.b/c?d, does not end a sentence. An empty line has none.
/// line: well-formed UTF-8.
std::vector<std::string_view> sentences(std::string_view line);

}  // namespace heed::translation
