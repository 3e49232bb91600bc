// A tokenizer whose ids can be told by looking: the word 7 is the id 7.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heed/core/text/unicode.h"
#include "heed/text/tokenizer.h"

namespace heed::testing {

/// Words that are no number are unknown. If it samples, a sample has each id once or twice.
class NumberTokenizer : public text::Tokenizer {
 public:
  explicit NumberTokenizer(bool samples = false, std::string content = "numbers")
      : samples_(samples), content_(std::move(content)) {}

  text::Ids encode(std::string_view line) const override {
    text::Ids ids;
    for (const std::string_view word : split_whitespace(line)) {
      const bool number = word.find_first_not_of("0123456789") == std::string_view::npos;
      ids.push_back(number ? std::stoi(std::string(word)) : text::kUnk);
    }
    return ids;
  }
  text::Ids sample(std::string_view line, RandomStream& random) const override {
    if (!samples_) return encode(line);
    text::Ids ids;
    for (const int32_t id : encode(line)) ids.insert(ids.end(), 1 + random.below(2), id);
    return ids;
  }
  bool samples() const override { return samples_; }
  std::string decode(std::span<const int32_t>) const override { return {}; }
  std::string piece(int32_t id) const override { return std::to_string(id); }
  std::vector<int64_t> words(std::span<const int32_t> ids) const override { return std::vector<int64_t>(ids.size()); }
  text::LineWords line_words(std::string_view line) const override {
    text::LineWords found;
    for (const std::string_view word : split_whitespace(line)) {
      found.of_id.push_back(std::ssize(found.words));
      found.words.emplace_back(word);
    }
    return found;
  }
  int64_t size() const override { return 1000; }
  std::string_view file_ending() const override { return "numbers"; }
  std::string serialized() const override { return content_; }

 private:
  bool samples_;
  std::string content_;
};

inline text::Tokenizers number_tokenizers(bool samples = false) {
  const auto tokenizer = std::make_shared<NumberTokenizer>(samples);
  return {.source = tokenizer, .target = tokenizer};
}

}  // namespace heed::testing
