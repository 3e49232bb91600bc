#include "heed/text/placeholders.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::text {
namespace {

constexpr size_t kSymbolBytes = 3;
constexpr auto& kSymbols = Placeholders::kSymbols;

/// The index of the symbol that begins the text; absent: none does.
std::optional<size_t> symbol_at(std::string_view text) {
  const auto found = std::ranges::find(kSymbols, text.substr(0, kSymbolBytes));
  if (found == kSymbols.end()) return std::nullopt;
  return static_cast<size_t>(found - kSymbols.begin());
}

/// FNV-1a.
size_t first_symbol(std::string_view line) {
  uint64_t hash = 14695981039346656037U;
  for (const char c : line) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return static_cast<size_t>(hash % kSymbols.size());
}

std::string_view part(std::string_view text, const ProtectedMatch& match) {
  return text.substr(match.begin, match.end - match.begin);
}

bool has_symbols(std::string_view text) {
  constexpr std::string_view kFirstBytes = "\xE2\x9D";  // of every symbol
  for (size_t at = text.find(kFirstBytes); at != text.npos; at = text.find(kFirstBytes, at + 1)) {
    if (symbol_at(text.substr(at))) return true;
  }
  return false;
}

/// Gives symbols to texts, in their order.
Placeholders::Originals choose_symbols(std::string_view line, const std::vector<std::string_view>& texts) {
  Placeholders::Originals originals;
  size_t used = 0;
  const size_t first = first_symbol(line);
  for (const std::string_view text : texts) {
    const bool is_known = std::ranges::find(originals, text) != originals.end();
    if (used < originals.size() && !is_known) originals[(first + used++) % originals.size()] = text;
  }
  return originals;
}

/// The symbol that stands for a text; empty: none does.
std::string_view symbol_of(std::string_view text, const Placeholders::Originals& originals) {
  const auto symbol = std::ranges::find(originals, text);
  return symbol == originals.end() ? std::string_view() : kSymbols[static_cast<size_t>(symbol - originals.begin())];
}

/// Replaces the symbols that are in the text itself.
void append_own_symbols(std::string& masked, std::string_view text, const Placeholders::Originals& originals) {
  if (!has_symbols(text)) {
    masked += text;
    return;
  }
  for (const std::string_view character : characters(text)) {
    const std::string_view symbol = symbol_at(character) ? symbol_of(character, originals) : std::string_view();
    masked += symbol.empty() ? character : symbol;
  }
}

std::string replaced(std::string_view text, const std::vector<ProtectedMatch>& matches,
                     const Placeholders::Originals& originals) {
  std::string masked;
  size_t at = 0;
  for (const ProtectedMatch& match : matches) {
    const std::string_view symbol = symbol_of(part(text, match), originals);
    if (symbol.empty()) continue;
    append_own_symbols(masked, text.substr(at, match.begin - at), originals);
    masked += symbol;
    at = match.end;
  }
  append_own_symbols(masked, text.substr(at), originals);
  return masked;
}

/// Whether a letter or digit meets another one where two texts are joined.
bool joins_words(std::string_view left, std::string_view right) {
  const auto is_word = [](std::string_view character) {
    const char32_t code = to_code_points(character)[0];
    return !is_space(code) && character_class(code) < CharacterClass::Punctuation;
  };
  if (left.empty() || right.empty()) return false;
  size_t last = left.size() - 1;
  while (last > 0 && (static_cast<unsigned char>(left[last]) & 0xC0U) == 0x80U) --last;
  size_t first = 1;
  while (first < right.size() && (static_cast<unsigned char>(right[first]) & 0xC0U) == 0x80U) ++first;
  return is_word(left.substr(last)) && is_word(right.substr(0, first));
}

}  // namespace

Placeholders::Placeholders(ProtectedRules rules) : rules_(std::move(rules)), text_(rules_.kinds, rules_.patterns) {}

Placeholders::Line Placeholders::masked(std::string_view source) const {
  const auto matches = text_.find(source);
  const bool has_own = has_symbols(source);
  if (matches.empty() && !has_own) return {.text = std::string(source)};
  std::vector<std::string_view> texts;
  if (has_own) {  // first: each of them needs a symbol
    for (const std::string_view symbol : kSymbols) {
      if (source.find(symbol) != source.npos) texts.push_back(symbol);
    }
  }
  for (const ProtectedMatch& match : matches) texts.push_back(part(source, match));
  Originals originals = choose_symbols(source, texts);
  return {.text = replaced(source, matches, originals), .originals = std::move(originals)};
}

Placeholders::Originals Placeholders::mask_pair(std::string& source, std::string& target) const {
  const auto of_source = text_.find(source);
  if (of_source.empty() || has_symbols(source) || has_symbols(target)) return {};
  const auto of_target = text_.find(target);
  std::map<std::string_view, int64_t> difference;  // how much more often a text is in the source
  for (const ProtectedMatch& match : of_source) ++difference[part(source, match)];
  for (const ProtectedMatch& match : of_target) --difference[part(target, match)];
  std::vector<std::string_view> texts;
  for (const ProtectedMatch& match : of_source) {
    if (difference.at(part(source, match)) == 0) texts.push_back(part(source, match));
  }
  Originals originals = choose_symbols(source, texts);
  source = replaced(source, of_source, originals);
  target = replaced(target, of_target, originals);
  return originals;
}

std::string Placeholders::masked_with(std::string_view text, const Originals& originals) const {
  return replaced(text, text_.find(text), originals);
}

Placeholders::Counts Placeholders::counts(std::string_view text) {
  Counts counts{};
  if (!has_symbols(text)) return counts;
  for (const std::string_view character : characters(text)) {
    if (const auto symbol = symbol_at(character)) ++counts[*symbol];
  }
  return counts;
}

std::string Placeholders::unmasked(std::string_view text, const Originals& originals, Counts* left) {
  if (!has_symbols(text)) return std::string(text);
  std::string out;
  bool after_original = false;
  for (size_t at = 0; at < text.size();) {
    const auto symbol = symbol_at(text.substr(at));
    if (!symbol) {
      if (after_original && left != nullptr && joins_words(out, text.substr(at))) out += ' ';
      after_original = false;
      out += text[at++];
      continue;
    }
    at += kSymbolBytes;
    const std::string& original = originals[*symbol];
    if (!original.empty() && (left == nullptr || (*left)[*symbol] > 0)) {
      if (left != nullptr && joins_words(out, original)) out += ' ';
      out += original;
      after_original = true;
      if (left != nullptr) --(*left)[*symbol];
    } else if ((out.empty() || out.back() == ' ') && at < text.size() && text[at] == ' ') {
      ++at;  // one of the spaces around it
    }
  }
  return out;
}

std::string Placeholders::serialized() const {
  nlohmann::ordered_json kinds = nlohmann::ordered_json::array();
  for (const ProtectedKind kind : rules_.kinds) kinds.push_back(enum_name(kind));
  return nlohmann::ordered_json{{"kinds", kinds}, {"patterns", rules_.patterns}}.dump(2) + "\n";
}

std::shared_ptr<const Placeholders> Placeholders::parse(const std::string& path, const std::string& content) {
  try {
    const auto json = nlohmann::json::parse(content);
    const auto names = json.at("kinds").get<std::vector<std::string>>();
    return std::make_shared<const Placeholders>(ProtectedRules{
        .kinds = protected_kinds(names, "kinds"), .patterns = json.at("patterns").get<std::vector<std::string>>()});
  } catch (const std::exception& error) {
    throw CheckpointError(path, std::string("has no kinds of protected text that this version knows: ") + error.what());
  }
}

}  // namespace heed::text
