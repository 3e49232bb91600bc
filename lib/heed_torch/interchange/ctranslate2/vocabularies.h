// The vocabularies beside a model.bin: shared_vocabulary.json, or source_vocabulary.json and target_vocabulary.json,
// lists of tokens by their ids (before version 3.3 .txt files, a token a line); and what config.json says of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed_torch/interchange/common/exchanged_model.h"
#include "heed_torch/interchange/common/json_file.h"
#include "heed_torch/interchange/common/piece_table.h"

namespace heed::interchange {

struct VocabularyTables {
  PieceTable source, target;
  bool one_vocabulary;
  std::vector<int64_t> never_produced;  ///< those of heed's ids that the other has no entry for
};

/// starts_from_zeros: the decoder's first input has no entry. Throws CheckpointError where special tokens are missing
/// or heed cannot hold what the configuration asks for; FileError.
VocabularyTables read_vocabularies(const std::string& directory, const JsonFile& config, bool starts_from_zeros);

/// SentencePiece models (source.spm and target.spm, or one for both), or tokenizers as heed writes them. Throws
/// CheckpointError where there are none, since CTranslate2 keeps none, or where their tokens are others.
text::Tokenizers find_tokenizers(const std::string& directory, const VocabularyTables& tables);

/// heed's ids in the order of the other's. Where pad and bos are never produced and are zeros they have no entry, as in
/// Marian's models, and </s> is 0 and <unk> 1; else entries have heed's order.
struct EntryOrder {
  std::vector<int64_t> source, target;
  bool one_vocabulary;
  bool has_bos;  ///< else the decoder starts from zeros
};
EntryOrder entry_order(const ExchangedModel& model);

/// The lists, the tokenizers' own files, and config.json. epsilon: of the norms. Throws CheckpointError, FileError.
void write_vocabularies(const text::Tokenizers& tokenizers, const EntryOrder& order, double epsilon,
                        const std::string& output);

}  // namespace heed::interchange
