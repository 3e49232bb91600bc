// Checks of the text of a pair that need no knowledge of the corpus.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heed/curation/checks/side_text.h"

namespace heed::curation {

/// Whether the text has U+FFFD, or UTF-8 that was read as Latin-1 or Windows-1252 (mojibake: "fÃ¼r" for "für").
bool has_wrong_encoding(std::u32string_view text);

/// Whether the text has a control character (general category Cc) other than TAB, or a noncharacter.
bool has_control_characters(std::u32string_view text);

/// The tags, entities, placeholders and addresses of a text, sorted: "<b>", "</b>", "&amp;", "%s", "{0}", "${name}",
/// "https://...". Attributes of tags do not count.
std::vector<std::string> markup_of(std::string_view text);

/// The numbers of a text, sorted, in a form in which 1,000.5 and 1.000,5 are equal: their digits without separators and
/// without leading zeros.
std::vector<std::string> numbers_of(std::u32string_view text);

/// The sentences of a text: the ends of sentences (. ! ? and those of other scripts) before a space and something that
/// is not a lower-case letter, and the end of the text.
int64_t count_sentences(std::u32string_view text);

/// Whether a text ends as sentences do: with . ! ? : ; or the like, also before closing quotes and brackets.
bool ends_as_sentence(std::u32string_view text);

/// Whether a word has letters of Latin and of Cyrillic or Greek, or of other scripts that no word mixes.
bool mixes_scripts(const SideText& text);

}  // namespace heed::curation
