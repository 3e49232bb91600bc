// The vocabularies of a model.bin: lists of tokens ordered by id, and what config.json says about them. The files are
// shared_vocabulary.json, or source_vocabulary.json and target_vocabulary.json. Before version 3.3 they were .txt files
// with one token per line.
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
  std::vector<int64_t> never_produced;  ///< heed's ids that CTranslate2 has no entry for
};

/// starts_from_zeros: the decoder's first input has no entry. Throws CheckpointError if special tokens are missing, or
/// if the configuration needs what heed does not support; FileError.
VocabularyTables read_vocabularies(const std::string& directory, const JsonFile& config, bool starts_from_zeros);

/// Opens SentencePiece models (source.spm and target.spm, or one for both), or tokenizers that heed wrote. CTranslate2
/// does not store any itself. Throws CheckpointError if there are none, or if their tokens are different.
text::Tokenizers find_tokenizers(const std::string& directory, const VocabularyTables& tables);

/// heed's ids in CTranslate2's order. Pad and bos have no entry if they are never produced and their rows are zeros, as
/// in Marian's models; then `</s>` is 0 and `<unk>` is 1. Otherwise entries have heed's order.
struct EntryOrder {
  std::vector<int64_t> source, target;
  bool one_vocabulary;
  bool has_bos;  ///< otherwise the decoder starts from zeros
};
EntryOrder entry_order(const ExchangedModel& model);

/// Writes the lists, the tokenizers' files, and config.json. epsilon: of the norms. Throws CheckpointError, FileError.
void write_vocabularies(const text::Tokenizers& tokenizers, const EntryOrder& order, double epsilon,
                        const std::string& output);

}  // namespace heed::interchange
