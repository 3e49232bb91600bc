// A SentencePiece model whose pieces get their ids from a separate table, as in MarianMT models. So the two models of
// two languages can share one table.
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

/// Segments text with the model. The id of a piece is its position in the table; a piece that is not in the table is
/// unknown. If a line begins with a language token such as `>>fra<<` and the table has it, that entry is the first id.
class PieceTableTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kEnding = "pieces";

  /// model: the content of a SentencePiece model. entries: the table without the four special ids. Throws InputError
  /// with `path` if either is invalid.
  PieceTableTokenizer(const std::string& path, std::string model, std::vector<std::string> entries);
  /// Parses a file: the line `#model-bytes: N`, the table as in Vocabulary::serialized, then the N bytes of the model.
  static std::shared_ptr<const Tokenizer> parse(const std::string& path, const std::string& content);
  /// Whether a text can be an entry: one line of UTF-8 that is not the name of a special id.
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
  std::vector<std::string> entries_;  // by id, including the special ones
  std::unordered_map<std::string, int32_t> ids_;
  std::vector<int32_t> table_ids_;  // by the model's id
  std::vector<std::string> texts_;  // by id
};

}  // namespace heed::text
