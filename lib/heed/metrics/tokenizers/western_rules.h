// The steps that the tokenizers 13a, zh and TER's have in common. They work on bytes: all that is looked for is ASCII,
// and a byte of a longer character is "no digit" and "no punctuation" as the character itself is.
#pragma once

#include <string>
#include <string_view>

namespace heed::metrics {

void replace_all(std::string& text, std::string_view found, std::string_view replacement);

/// &quot; &amp; &lt; &gt; become the characters they stand for, one after the other: &amp;lt; becomes <.
void undo_entities(std::string& text);

/// A space at both sides of each ASCII punctuation character but ' , - and .
void split_punctuation(std::string& text, std::string& scratch);

/// Periods and commas are split off unless they stand between digits, and a hyphen behind a digit.
void split_points_and_hyphens(std::string& text, std::string& scratch);

}  // namespace heed::metrics
