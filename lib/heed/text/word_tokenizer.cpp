#include "heed/text/word_tokenizer.h"

#include <utility>

#include "heed/core/text/unicode.h"
#include "heed/text/word_index.h"

namespace heed::text {

WordTokenizer::WordTokenizer(std::string_view ending, std::vector<std::string> entries,
                             std::optional<std::string> separator)
    : ending_(ending), vocabulary_(std::move(entries)), separator_(std::move(separator)) {}

std::shared_ptr<const Tokenizer> WordTokenizer::parse(std::string_view ending, const std::string& path,
                                                      std::string_view content) {
  VocabularyFile file = parse_vocabulary(path, content);
  std::optional<std::string> separator;
  if (const auto found = file.properties.find("separator"); found != file.properties.end()) separator = found->second;
  return std::make_shared<WordTokenizer>(ending, std::move(file.entries), std::move(separator));
}

Ids WordTokenizer::encode(std::string_view line) const {
  Ids ids;
  for (const std::string_view word : split_whitespace(line)) ids.push_back(vocabulary_.id(word));
  return ids;
}

/// The text of a token: without its separator if it ends in it, else followed by a space.
std::string WordTokenizer::joined(std::string token) const {
  if (separator_ && token.ends_with(*separator_))
    token.resize(token.size() - separator_->size());
  else
    token += ' ';
  return token;
}

/// The text of each id.
std::vector<std::string> WordTokenizer::texts(std::span<const int32_t> ids) const {
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (const int32_t id : ids) {
    const bool has_text = id != kPad && id != kBos && id != kEos;
    texts.push_back(has_text ? joined(vocabulary_.entry(id)) : "");
  }
  return texts;
}

std::string WordTokenizer::decode(std::span<const int32_t> ids) const {
  std::string line;
  for (const std::string& text : texts(ids)) line += text;
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

std::vector<int64_t> WordTokenizer::words(std::span<const int32_t> ids) const { return word_index(texts(ids)); }

LineWords WordTokenizer::line_words(std::string_view line) const {
  std::vector<std::string> texts;
  for (const std::string_view word : split_whitespace(line)) texts.push_back(joined(std::string(word)));
  return joined_words(texts);
}

std::string WordTokenizer::serialized() const {
  if (separator_) return vocabulary_.serialized({{"separator", *separator_}});
  return vocabulary_.serialized();
}

}  // namespace heed::text
