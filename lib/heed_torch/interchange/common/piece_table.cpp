#include "heed_torch/interchange/common/piece_table.h"

#include <utility>

#include <ATen/ATen.h>

#include "heed/core/files/regular_file.h"
#include "heed/text/sentencepiece/piece_table_tokenizer.h"
#include "heed/text/sentencepiece/sentence_piece_tokenizer.h"

namespace heed::interchange {

bool numbers_alike(const text::Tokenizer& tokenizer, const PieceTable& pieces) {
  if (tokenizer.size() != pieces.size()) return false;
  for (size_t i = 0; i < pieces.entries.size(); ++i) {
    if (tokenizer.piece(static_cast<int32_t>(i) + text::kEos + 1) != pieces.entries[i]) return false;
  }
  return true;
}

at::Tensor rows_of(const at::Tensor& table, const PieceTable& pieces) {
  const at::Tensor rows = at::tensor(pieces.rows, at::kLong);
  const at::Tensor picked = table.index_select(0, rows.clamp_min(0));
  std::vector<int64_t> per_row(static_cast<size_t>(table.dim()), 1);
  per_row[0] = -1;
  return picked.masked_fill(rows.lt(0).view(per_row), 0);
}

std::shared_ptr<const text::Tokenizer> make_tokenizer(const std::string& model, const PieceTable& pieces) {
  std::string content = read_regular_file(model);
  auto plain = std::make_shared<text::SentencePieceTokenizer>(model, content);
  if (numbers_alike(*plain, pieces)) return plain;
  return std::make_shared<text::PieceTableTokenizer>(model, std::move(content), pieces.entries);
}

text::Tokenizers make_tokenizers(const std::string& source_model, const PieceTable& source,
                                 const std::string& target_model, const PieceTable& target) {
  text::Tokenizers made{.source = make_tokenizer(source_model, source), .target = make_tokenizer(target_model, target)};
  if (made.source->file_ending() == made.target->file_ending() &&
      made.source->serialized() == made.target->serialized()) {
    made.source = made.target;
  }
  return made;
}

std::optional<std::string> sentence_piece_model(const text::Tokenizer& tokenizer) {
  if (const auto* table = dynamic_cast<const text::PieceTableTokenizer*>(&tokenizer)) return table->model();
  if (tokenizer.file_ending() != text::SentencePieceTokenizer::kEnding) return std::nullopt;
  return tokenizer.serialized();
}

bool have_same_pieces(const text::Tokenizer& source, const text::Tokenizer& target) {
  if (source.size() != target.size()) return false;
  for (int32_t id = text::kEos + 1; id < source.size(); ++id) {
    if (source.piece(id) != target.piece(id)) return false;
  }
  return true;
}

}  // namespace heed::interchange
