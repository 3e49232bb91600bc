// Tables of pieces, which other toolkits store in addition to a SentencePiece model for each language.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/text/tokenizer.h"

namespace heed::interchange {

/// A vocabulary of heed and the rows of its entries in the other toolkit's tables.
struct PieceTable {
  std::vector<int64_t> rows;         ///< by id, special ones included; -1: not in the other toolkit's table
  std::vector<std::string> entries;  ///< of the ids after the special ones

  int64_t size() const { return static_cast<int64_t>(rows.size()); }
};

/// The rows of another toolkit's table in heed's order; zeros for missing ones. table: [rows, ...].
at::Tensor rows_of(const at::Tensor& table, const PieceTable& pieces);

/// Whether a tokenizer has the table's entries with the same ids.
bool numbers_alike(const text::Tokenizer& tokenizer, const PieceTable& pieces);

/// The tokenizer of a side. It is SentencePiece's own tokenizer if the table numbers the model's pieces as heed does.
/// model: the file's path. Throws FileError, InputError.
std::shared_ptr<const text::Tokenizer> make_tokenizer(const std::string& model, const PieceTable& pieces);
/// The tokenizers of both sides; a single one if they are the same.
text::Tokenizers make_tokenizers(const std::string& source_model, const PieceTable& source,
                                 const std::string& target_model, const PieceTable& target);

/// The SentencePiece model of a tokenizer; absent if it has none.
std::optional<std::string> sentence_piece_model(const text::Tokenizer& tokenizer);
/// Whether each id is the same piece in both.
bool have_same_pieces(const text::Tokenizer& source, const text::Tokenizer& target);

}  // namespace heed::interchange
