#include "heed/text/character_tokenizer.h"

#include <utility>

#include "heed/core/text/unicode.h"
#include "heed/text/word_index.h"

namespace heed::text {
namespace {

constexpr const char* kVisibleSpace = "\u2581";

}  // namespace

CharacterTokenizer::CharacterTokenizer(std::vector<std::string> entries) : vocabulary_(std::move(entries)) {}

std::shared_ptr<const Tokenizer> CharacterTokenizer::parse(const std::string& path, std::string_view content) {
  return std::make_shared<CharacterTokenizer>(parse_vocabulary(path, content).entries);
}

Ids CharacterTokenizer::encode(std::string_view line) const {
  Ids ids;
  for (const std::string_view character : characters(line)) ids.push_back(vocabulary_.id(character));
  return ids;
}

std::vector<std::string> CharacterTokenizer::texts(std::span<const int32_t> ids) const {
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (const int32_t id : ids) {
    std::string& text = texts.emplace_back(vocabulary_.entry(id));
    if (id == kUnk)
      text = "\u2047";
    else if (id == kPad || id == kBos || id == kEos)
      text.clear();
  }
  return texts;
}

std::string CharacterTokenizer::decode(std::span<const int32_t> ids) const {
  std::string line;
  for (const std::string& text : texts(ids)) line += text;
  return line;
}

std::string CharacterTokenizer::piece(int32_t id) const {
  const std::string& entry = vocabulary_.entry(id);
  if (entry == " ") return kVisibleSpace;
  return entry == kVisibleSpace ? "U+2581" : entry;
}

std::vector<int64_t> CharacterTokenizer::words(std::span<const int32_t> ids) const { return word_index(texts(ids)); }

LineWords CharacterTokenizer::line_words(std::string_view line) const {
  const auto written = characters(line);
  return joined_words({written.begin(), written.end()});
}

}  // namespace heed::text
