#include "heed/text/token_texts.h"

#include "heed/core/text/unicode.h"

namespace heed::text {

TokenTexts::TokenTexts(const Tokenizer& tokenizer) {
  for (int32_t token = 0; token < tokenizer.size(); ++token) {
    const bool is_special = token == kPad || token == kBos || token == kEos;
    std::string text = is_special ? "" : tokenizer.spelling(token);
    const bool has_characters = !first_invalid_utf8(text);
    if (has_characters) {
      const auto characters = text_characters(text);
      characters_.insert(characters_.end(), characters.begin(), characters.end());
    }
    begins_.push_back(characters_.size());
    bytes_.push_back(has_characters ? "" : std::move(text));
    if (last_class(token) && !is_word_boundary(*last_class(token), WordClass::Letter)) {
      leaving_word_open_.push_back(token);
    }
    if (first_class(token) && !is_word_boundary(WordClass::Letter, *first_class(token))) {
      continuing_word_.push_back(token);
    }
  }
}

std::span<const TextCharacter> TokenTexts::of(int32_t token) const {
  const auto place = static_cast<size_t>(token);
  return std::span(characters_).subspan(begins_[place], begins_[place + 1] - begins_[place]);
}

std::optional<WordClass> TokenTexts::first_class(int32_t token) const {
  if (is_bytes(token)) return WordClass::Letter;
  return of(token).empty() ? std::nullopt : std::optional(of(token).front().word_class);
}

std::optional<WordClass> TokenTexts::last_class(int32_t token) const {
  if (is_bytes(token)) return WordClass::Letter;
  return of(token).empty() ? std::nullopt : std::optional(of(token).back().word_class);
}

}  // namespace heed::text
