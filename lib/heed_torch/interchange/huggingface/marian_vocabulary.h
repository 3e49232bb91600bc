// vocab.json of a MarianMT model: the id of each piece, and so its row in the tables of embeddings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed_torch/interchange/common/exchanged_model.h"
#include "heed_torch/interchange/common/piece_table.h"
#include "heed_torch/interchange/common/refusal.h"
#include "heed_torch/interchange/huggingface/marian_config.h"

namespace heed::interchange {

/// The entry that stands for heed's own pad in a model that heed has exported, where a probability is left to it.
inline constexpr const char* kHeedPad = "<heed-pad>";

struct MarianVocabularies {
  PieceTable source;
  PieceTable target;
};

/// Throws CheckpointError where ids are not what they must be; FileError.
MarianVocabularies read_marian_vocabularies(const std::string& directory, const MarianConfig& config);

/// heed's ids in the order of the other's. </s> is 0 and <unk> 1; <pad>, which is heed's bos, is the last of one
/// vocabulary, and 2 of two, which must agree on it. heed's own pad has an entry where a probability is left to it.
struct MarianOrder {
  std::vector<int64_t> source, target;
  bool one_vocabulary;
  bool has_heed_pad;

  int64_t pad_id() const { return one_vocabulary ? static_cast<int64_t>(target.size()) - 1 : 2; }
  /// Of heed's pad, if it has an entry.
  int64_t heed_pad_id() const { return static_cast<int64_t>(target.size()) - (one_vocabulary ? 2 : 1); }
};

/// Throws Refusal if a tokenizer is not SentencePiece's.
void require_sentence_pieces(const text::Tokenizers& tokenizers, const Target& target);
/// The tokenizers must have passed require_sentence_pieces().
MarianOrder marian_order(const ExchangedModel& model);

/// vocab.json, for two vocabularies target_vocab.json, source.spm, target.spm, tokenizer_config.json. Throws FileError.
void write_marian_vocabularies(const text::Tokenizers& tokenizers, const MarianOrder& order, const std::string& output);

}  // namespace heed::interchange
