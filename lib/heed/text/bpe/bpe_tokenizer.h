// A tokenizer with byte-pair encoding, identical to subword-nmt's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/bpe/bpe_segmenter.h"
#include "heed/text/tokenizer_options.h"
#include "heed/text/word_tokenizer.h"

namespace heed::text {

/// Splits words (separated by spaces) into units. A unit ends in the separator if its word continues ("lo@@ w"). Merges
/// that give units without a vocabulary entry are undone. decode joins the units again. decode(encode(line)) == line on
/// three conditions: all characters are known, words are separated by single spaces without outer space, and no word
/// ends in the separator.
class BpeTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kEnding = "codes";

  struct Content {
    BpeCodes codes;  ///< merges of characters, not bytes
    std::string separator = "@@";
    std::vector<std::string> glossaries{};
    std::vector<std::string> entries;  ///< units; those that do not end a word end in the separator
  };
  /// Throws ConfigError for a glossary that is not a regular expression.
  explicit BpeTokenizer(Content content);
  /// Parses the output of serialized(). Throws InputError with `path` and line.
  static std::shared_ptr<const Tokenizer> parse(const std::string& path, std::string_view content);
  /// The same tokenizer with BPE-dropout of this probability.
  std::shared_ptr<const Tokenizer> with_dropout(double probability) const;

  Ids encode(std::string_view line) const override;
  Ids sample(std::string_view line, RandomStream& random) const override;
  bool samples() const override { return dropout_ > 0; }
  std::string decode(std::span<const int32_t> ids) const override { return units_->decode(ids); }
  std::string piece(int32_t id) const override { return units_->piece(id); }
  std::string spelling(int32_t id) const override { return units_->spelling(id); }
  std::vector<int64_t> words(std::span<const int32_t> ids) const override { return units_->words(ids); }
  LineWords line_words(std::string_view line) const override;
  int64_t size() const override { return units_->size(); }
  std::string_view file_ending() const override { return kEnding; }
  /// The properties, the merges in subword-nmt's format, then the vocabulary.
  std::string serialized() const override;

 private:
  template <class Segment, class Visit>
  void visit_units(std::string_view line, Segment&& segment, Visit&& visit) const;
  template <class Segment>
  Ids encode_words(std::string_view line, Segment&& segment) const;

  std::shared_ptr<const Content> content_;
  std::shared_ptr<const BpeSegmenter> segmenter_;
  std::shared_ptr<const WordTokenizer> units_;
  double dropout_ = 0;
};

}  // namespace heed::text
