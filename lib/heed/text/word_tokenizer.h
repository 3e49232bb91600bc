// Tokens separated by white space: words, or the output of another tokenizer.
#pragma once

#include <optional>
#include <string>

#include "heed/text/vocabulary.h"

namespace heed::text {

/// encode splits at white space (like Python's str.split) and looks up each token. decode joins tokens by one space and
/// writes unknown ones as "<unk>". With a separator (subword-nmt's is "@@"), a token that ends in it is joined with the
/// next token, and the separator is dropped.
class WordTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kWordsEnding = "words";
  static constexpr std::string_view kTokensEnding = "tokens";

  /// `ending` is the file ending: kWordsEnding or kTokensEnding.
  WordTokenizer(std::string_view ending, std::vector<std::string> entries, std::optional<std::string> separator = {});
  static std::shared_ptr<const Tokenizer> parse(std::string_view ending, const std::string& path,
                                                std::string_view content);

  Ids encode(std::string_view line) const override;
  std::string decode(std::span<const int32_t> ids) const override;
  std::string piece(int32_t id) const override { return vocabulary_.entry(id); }
  std::string spelling(int32_t id) const override { return joined(vocabulary_.entry(id)); }
  std::vector<int64_t> words(std::span<const int32_t> ids) const override;
  LineWords line_words(std::string_view line) const override;
  int64_t size() const override { return vocabulary_.size(); }
  std::string_view file_ending() const override { return ending_; }
  std::string serialized() const override;
  const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  std::string joined(std::string token) const;
  std::vector<std::string> texts(std::span<const int32_t> ids) const;

  std::string_view ending_;
  Vocabulary vocabulary_;
  std::optional<std::string> separator_;
};

}  // namespace heed::text
