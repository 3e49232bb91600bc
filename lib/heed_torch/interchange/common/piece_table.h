// Tables of pieces as other toolkits have them, beside a SentencePiece model for each language.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/text/tokenizer.h"

namespace heed::interchange {

/// A vocabulary of heed, by which rows of the other's tables its entries have.
struct PieceTable {
  std::vector<int64_t> rows;         ///< of each id, special ones included; -1: the other has none
  std::vector<std::string> entries;  ///< of ids behind the special ones

  int64_t size() const { return static_cast<int64_t>(rows.size()); }
};

/// The rows of a table of the other's as heed has them; zeros for those that it has not. table: [rows, ...].
at::Tensor rows_of(const at::Tensor& table, const PieceTable& pieces);

/// Whether a tokenizer has the table's entries, by the same ids.
bool numbers_alike(const text::Tokenizer& tokenizer, const PieceTable& pieces);

/// The tokenizer of a side: SentencePiece's own where the table numbers the model's pieces as heed does. model: the
/// file's path. Throws FileError, InputError.
std::shared_ptr<const text::Tokenizer> make_tokenizer(const std::string& model, const PieceTable& pieces);
/// Those of both sides, one for both where they are the same.
text::Tokenizers make_tokenizers(const std::string& source_model, const PieceTable& source,
                                 const std::string& target_model, const PieceTable& target);

/// The SentencePiece model of a tokenizer; none of one that has none.
std::optional<std::string> sentence_piece_model(const text::Tokenizer& tokenizer);
/// Whether an id is the same piece to both.
bool have_same_pieces(const text::Tokenizer& source, const text::Tokenizer& target);

}  // namespace heed::interchange
