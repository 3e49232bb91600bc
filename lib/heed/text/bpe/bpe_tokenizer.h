// Subwords by byte-pair encoding, as subword-nmt makes them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/bpe/bpe_segmenter.h"
#include "heed/text/tokenizer_options.h"
#include "heed/text/word_tokenizer.h"

namespace heed::text {

/// Cuts the words between spaces into units, each with the separator where its word goes on ("lo@@ w"); merges that
/// give units without an entry are undone. decode joins them again, so that decode(encode(line)) == line for a line of
/// known characters with one space between words, none at its ends, and no word that ends in the separator.
class BpeTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kEnding = "codes";

  struct Content {
    BpeCodes codes;  ///< of characters, not bytes
    std::string separator = "@@";
    std::vector<std::string> glossaries{};
    std::vector<std::string> entries;  ///< units, with the separator where it belongs
  };
  /// Throws ConfigError for a glossary that is no regular expression.
  explicit BpeTokenizer(Content content);
  /// Reads serialized(). Throws InputError with `path` and line.
  static std::shared_ptr<const Tokenizer> parse(const std::string& path, std::string_view content);
  /// The same with BPE-dropout of this probability.
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
  /// Properties and subword-nmt's codes, then the vocabulary.
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
