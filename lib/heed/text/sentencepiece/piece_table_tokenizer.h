// A SentencePiece model whose pieces have the ids of a table of their own, as those of MarianMT models have: two
// models, one for each language, may share a table then.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "heed/text/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace heed::text {

/// Segments as the model does; a piece's id is its place in the table, and one that the table lacks is unknown. A line
/// that begins with a mark of the target language, `>>fra<<`, begins with that entry, where the table has it.
class PieceTableTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kEnding = "pieces";

  /// model: the content of a SentencePiece model. entries: the table, without the four special ones. Throws InputError
  /// with `path` where one is not what it must be.
  PieceTableTokenizer(const std::string& path, std::string model, std::vector<std::string> entries);
  /// The content of a file: the line `#model-bytes: N`, the table as Vocabulary::serialized, the N bytes of the model.
  static std::shared_ptr<const Tokenizer> parse(const std::string& path, const std::string& content);
  /// Whether a text can be an entry of a table: one line of UTF-8 that no special id is called.
  static bool can_be_entry(std::string_view text);

  Ids encode(std::string_view line) const override;
  std::string decode(std::span<const int32_t> ids) const override;
  std::string piece(int32_t id) const override;
  std::string spelling(int32_t id) const override { return texts_.at(static_cast<size_t>(id)); }
  std::vector<int64_t> words(std::span<const int32_t> ids) const override;
  LineWords line_words(std::string_view line) const override;
  int64_t size() const override { return static_cast<int64_t>(entries_.size()); }
  std::string_view file_ending() const override { return kEnding; }
  std::string serialized() const override;

  const std::string& model() const { return model_; }

 private:
  void check_entries(const std::string& path) const;
  void number_pieces();
  int32_t id_of(const std::string& piece) const;
  size_t language_mark(std::string_view line) const;

  std::string model_;
  std::shared_ptr<const sentencepiece::SentencePieceProcessor> processor_;
  std::vector<std::string> entries_;  // by id, special ones included
  std::unordered_map<std::string, int32_t> ids_;
  std::vector<int32_t> table_ids_;  // by the model's id
  std::vector<std::string> texts_;  // by id
};

}  // namespace heed::text
