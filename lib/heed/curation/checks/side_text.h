// One side of a pair, with what the checks read from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::curation {

/// The text, its words and its letters. A word is a run of letters and digits in lower case; each ideograph, kana and
/// letter of a script without spaces (Thai, Lao, Khmer, Burmese) is a word by itself. Marks of keyboard shortcuts in a
/// word (_ ~ &) do not divide it. Tags, such as `<b class="x">`, have no words.
class SideText {
 public:
  /// Analyzes `text`, well-formed UTF-8. Its memory is reused; `text` must live as long as this is used.
  void assign(std::string_view text);

  std::string_view text() const { return text_; }
  const std::u32string& characters() const { return characters_; }
  const std::vector<std::u32string_view>& words() const { return words_; }
  int64_t letters() const { return letters_; }
  /// Words that have a letter.
  int64_t words_with_letters() const { return words_with_letters_; }
  /// The words as hashes. prefix: only the first characters of a word count, so that inflected forms are equal.
  void hash_words(size_t prefix, std::vector<uint64_t>& hashes) const;

 private:
  std::string_view text_;
  std::u32string characters_;
  std::u32string lowered_;  // without tags
  std::vector<std::u32string_view> words_;
  int64_t letters_ = 0;
  int64_t words_with_letters_ = 0;
};

/// A hash of characters.
uint64_t hash_of(std::u32string_view characters);

}  // namespace heed::curation
