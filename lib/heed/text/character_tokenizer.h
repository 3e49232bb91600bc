// Characters as tokens.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heed/text/vocabulary.h"

namespace heed::text {

/// One id per code point, white space included. decode(encode(line)) == line, except for unknown characters, which
/// decode to U+2047 (double question mark).
class CharacterTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kEnding = "characters";

  explicit CharacterTokenizer(std::vector<std::string> entries);
  static std::shared_ptr<const Tokenizer> parse(const std::string& path, std::string_view content);

  Ids encode(std::string_view line) const override;
  std::string decode(std::span<const int32_t> ids) const override;
  /// A space is shown as U+2581, and the character U+2581 as the text "U+2581".
  std::string piece(int32_t id) const override;
  std::string spelling(int32_t id) const override { return texts(std::span(&id, 1)).front(); }
  std::vector<int64_t> words(std::span<const int32_t> ids) const override;
  LineWords line_words(std::string_view line) const override;
  int64_t size() const override { return vocabulary_.size(); }
  std::string_view file_ending() const override { return kEnding; }
  std::string serialized() const override { return vocabulary_.serialized(); }

 private:
  std::vector<std::string> texts(std::span<const int32_t> ids) const;

  Vocabulary vocabulary_;
};

}  // namespace heed::text
