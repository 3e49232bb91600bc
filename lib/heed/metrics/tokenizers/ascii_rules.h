// Steps that the tokenizers 13a, zh and TER's share. They work on bytes. They only search for ASCII, and the bytes of
// other characters are neither digits nor punctuation, like the characters themselves.
#pragma once

#include <string>
#include <string_view>

namespace heed::metrics {

void replace_all(std::string& text, std::string_view found, std::string_view replacement);

/// Decodes &quot; &amp; &lt; &gt; one after the other: &amp;lt; becomes <.
void undo_entities(std::string& text);

/// Puts spaces around each ASCII punctuation character except ' , - and .
void split_punctuation(std::string& text, std::string& scratch);

/// Splits off periods and commas unless they are between digits, and hyphens after digits.
void split_points_and_hyphens(std::string& text, std::string& scratch);

}  // namespace heed::metrics
