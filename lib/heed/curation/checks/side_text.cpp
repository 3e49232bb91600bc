#include "heed/curation/checks/side_text.h"

#include <algorithm>

#include <unicode/uchar.h>

#include "heed/core/text/unicode.h"
#include "heed/text/bpe/words/string_hash.h"

namespace heed::curation {
namespace {

bool is_word_character(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK)) != 0;
}

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return u_isalpha(static_cast<UChar32>(c)) != 0;
}

/// Whether the script has no spaces between words, so that the character is a word by itself.
bool is_own_word(char32_t c) {
  if (c < 0x0E00) return false;
  if (c < 0x0F00 || (c >= 0x1000 && c < 0x10A0) || (c >= 0x1780 && c < 0x1800))
    return true;  // Thai, Lao; Burmese; Khmer
  return (c >= 0x3040 && c < 0x3100) || u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_IDEOGRAPHIC) != 0;
}

char32_t lower_character(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
  return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
}

/// The place of the `>` of a tag that begins at `at`; `at` itself if none does.
size_t end_of_tag(std::u32string_view text, size_t at) {
  if (text[at] != '<' || at + 1 == text.size() || !(is_letter(text[at + 1]) || text[at + 1] == '/')) return at;
  const size_t end = text.find_first_of(U"<>", at + 1);
  return end == std::u32string_view::npos || text[end] == '<' ? at : end;
}

}  // namespace

uint64_t hash_of(std::u32string_view characters) {
  return text::long_string_hash(
      {reinterpret_cast<const char*>(characters.data()), characters.size() * sizeof(char32_t)});
}

void SideText::assign(std::string_view text) {
  text_ = text;
  to_code_points(text, characters_);
  lowered_.clear();
  for (size_t i = 0; i < characters_.size(); ++i) {
    const char32_t c = characters_[i];
    if (const size_t end = end_of_tag(characters_, i); end > i) {
      lowered_ += U' ';
      i = end;
      continue;
    }
    const bool marks_shortcut =
        (c == '_' || c == '~' || c == '&') && i + 1 < characters_.size() && is_letter(characters_[i + 1]);
    if (!marks_shortcut) lowered_ += lower_character(c);
  }
  words_.clear();
  letters_ = words_with_letters_ = 0;
  const std::u32string_view all = lowered_;
  for (size_t i = 0; i < all.size();) {
    if (!is_word_character(all[i])) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    if (!is_own_word(all[i])) {
      while (end < all.size() && is_word_character(all[end]) && !is_own_word(all[end])) ++end;
    }
    words_.push_back(all.substr(i, end - i));
    const auto letters = std::ranges::count_if(words_.back(), is_letter);
    letters_ += letters;
    words_with_letters_ += letters > 0;
    i = end;
  }
}

void SideText::hash_words(size_t prefix, std::vector<uint64_t>& hashes) const {
  hashes.clear();
  for (const std::u32string_view word : words_) hashes.push_back(hash_of(word.substr(0, prefix)));
}

}  // namespace heed::curation
