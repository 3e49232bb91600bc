// vocab.json of a MarianMT model: the id of each piece, which is also its row in the embedding tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed_torch/interchange/common/exchanged_model.h"
#include "heed_torch/interchange/common/piece_table.h"
#include "heed_torch/interchange/common/refusal.h"
#include "heed_torch/interchange/huggingface/marian_config.h"

namespace heed::interchange {

/// The entry of heed's own pad in a model that heed has exported, if pad has a probability there.
inline constexpr const char* kHeedPad = "<heed-pad>";

struct MarianVocabularies {
  PieceTable source;
  PieceTable target;
};

/// Throws CheckpointError if ids are not as expected; FileError.
MarianVocabularies read_marian_vocabularies(const std::string& directory, const MarianConfig& config);

/// heed's ids in MarianMT's order. `</s>` is 0 and `<unk>` is 1. `<pad>`, which is heed's bos, is the last id of a
/// joint vocabulary; two vocabularies must agree on it, so it is 2. heed's own pad has an entry if it has a
/// probability.
struct MarianOrder {
  std::vector<int64_t> source, target;
  bool one_vocabulary;
  bool has_heed_pad;

  int64_t pad_id() const { return one_vocabulary ? static_cast<int64_t>(target.size()) - 1 : 2; }
  /// The id of heed's pad, if it has an entry.
  int64_t heed_pad_id() const { return static_cast<int64_t>(target.size()) - (one_vocabulary ? 2 : 1); }
};

/// Throws Refusal if a tokenizer is not SentencePiece's.
void require_sentence_pieces(const text::Tokenizers& tokenizers, const Target& target);
/// The tokenizers must have passed require_sentence_pieces().
MarianOrder marian_order(const ExchangedModel& model);

/// Writes vocab.json, for two vocabularies also target_vocab.json; source.spm, target.spm, tokenizer_config.json.
/// Throws FileError.
void write_marian_vocabularies(const text::Tokenizers& tokenizers, const MarianOrder& order, const std::string& output);

}  // namespace heed::interchange
