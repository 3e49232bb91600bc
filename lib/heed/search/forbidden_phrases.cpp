#include "heed/search/forbidden_phrases.h"

#include <algorithm>
#include <utility>

#include "heed/core/text/unicode.h"

namespace heed::search {
namespace {

/// The character that replaces each byte that is not part of a character.
constexpr text::TextCharacter kReplacement{.code = U'\uFFFD', .word_class = text::WordClass::Separator};

/// The number of bytes of the character that starts with this byte; 0: not a first byte.
size_t character_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0x80) return 1;
  if (byte >= 0xC2 && byte < 0xE0) return 2;
  if (byte >= 0xE0 && byte < 0xF0) return 3;
  return byte >= 0xF0 && byte < 0xF5 ? 4 : 0;
}

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80; }

/// Whether further bytes can complete one character from these.
bool may_become_character(std::string_view bytes) {
  return bytes.size() < character_bytes(bytes.front()) && std::ranges::all_of(bytes.substr(1), continues_character);
}

}  // namespace

ForbiddenPhrases::ForbiddenPhrases(std::shared_ptr<const text::TokenTexts> tokens, std::vector<std::string> phrases)
    : tokens_(std::move(tokens)), phrases_(std::move(phrases)), automaton_(phrases_) {}

/// Reads the characters that the kept bytes and these form, and keeps the bytes of an incomplete last one.
bool ForbiddenPhrases::read_bytes(State& state, std::string_view bytes) const {
  std::string rest(state.bytes.data(), state.byte_count);
  rest += bytes;
  bool found = false;
  size_t place = 0;
  while (place < rest.size()) {
    const std::string_view left = std::string_view(rest).substr(place);
    if (may_become_character(left)) break;
    const size_t count = std::min(std::max<size_t>(character_bytes(left.front()), 1), left.size());
    const std::string_view character = left.substr(0, count);
    const bool is_character = !first_invalid_utf8(character);
    const auto read = is_character ? text::text_characters(character).front() : kReplacement;
    if (automaton_.read(state.text, read)) found = true;
    place += is_character ? count : 1;
  }
  state.bytes.fill(0);
  state.byte_count = static_cast<uint8_t>(rest.copy(state.bytes.data(), state.bytes.size(), place));
  return found;
}

bool ForbiddenPhrases::read(State& state, int32_t token) const {
  if (tokens_->is_bytes(token)) return read_bytes(state, tokens_->bytes_of(token));
  const auto characters = tokens_->of(token);
  bool found = false;
  for (; !characters.empty() && state.byte_count > 0; --state.byte_count) {
    if (automaton_.read(state.text, kReplacement)) found = true;
  }
  if (state.byte_count == 0) state.bytes.fill(0);
  for (const text::TextCharacter& character : characters) {
    if (automaton_.read(state.text, character)) found = true;
  }
  return found;
}

bool ForbiddenPhrases::read_text(State& state, std::string_view text) const { return read_bytes(state, text); }

ForbiddenPhrases::State ForbiddenPhrases::after(State state, std::span<const int32_t> tokens) const {
  for (const int32_t token : tokens) read(state, token);
  return state;
}

bool ForbiddenPhrases::found_at_end(State state) const {
  bool found = false;
  for (; state.byte_count > 0; --state.byte_count) {
    if (automaton_.read(state.text, kReplacement)) found = true;
  }
  return found || automaton_.found_at_end(state.text);
}

/// Whether the token's text has a space and, after it, the beginning of a word.
bool ForbiddenPhrases::begins_word(int32_t token) const {
  const auto characters = tokens_->of(token);
  return std::ranges::any_of(characters, [](const auto& c) { return c.word_class == text::WordClass::Space; }) &&
         characters.back().word_class != text::WordClass::Space;
}

const text::Ids& ForbiddenPhrases::barred(const State& state, bool single) const {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = barred_.try_emplace(key(state, single));
  if (!is_new) return found->second;
  for (int32_t token = 0; token < tokens_->size(); ++token) {
    State next = state;
    const bool contains = token == text::kEos ? found_at_end(state) : read(next, token);
    if (contains || (single && begins_word(token) && found_at_end(next))) found->second.push_back(token);
  }
  return found->second;
}

size_t ForbiddenPhrases::longest_end(State state, std::span<const int32_t> tokens, size_t least) const {
  size_t longest = std::min(least, tokens.size());
  state = after(state, tokens.first(longest));
  for (size_t length = longest; length < tokens.size();) {
    if (read(state, tokens[length++])) break;
    if (!found_at_end(state)) longest = length;
  }
  return longest;
}

std::shared_ptr<const ForbiddenPhrases> ForbiddenPhrases::without_those_in(std::span<const std::string> texts) const {
  if (std::ranges::none_of(texts, [&](const std::string& text) { return is_found_in(text); })) return nullptr;
  std::vector<std::string> rest;
  for (const std::string& phrase : phrases_) {
    const text::PhraseAutomaton alone(std::span(&phrase, 1));
    if (std::ranges::none_of(texts, [&](const std::string& text) { return alone.is_found_in(text); })) {
      rest.push_back(phrase);
    }
  }
  return std::make_shared<const ForbiddenPhrases>(tokens_, std::move(rest));
}

}  // namespace heed::search
