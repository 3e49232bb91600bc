// What config.json and tokenizer_config.json say about a MarianMT model of transformers
// (https://huggingface.co/docs/transformers/model_doc/marian).
#pragma once

#include <cstdint>
#include <string>

#include "heed/architecture/architecture.h"

namespace heed::interchange {

struct MarianConfig {
  models::ArchitectureOptions arch;
  int64_t source_rows;  ///< of the source's embedding table
  int64_t target_rows;
  bool one_vocabulary;  ///< whether vocab.json is for both languages; otherwise target_vocab.json is for the target
  int64_t pad_id;       ///< also the decoder's first token; never produced
  int64_t eos_id;
  std::string pad = "<pad>", unk = "<unk>", eos = "</s>";  ///< as in vocab.json
};

/// Throws CheckpointError if the model is not a MarianMT model, or one that heed does not support; FileError.
MarianConfig read_marian_config(const std::string& directory);

struct Stacks;
struct ExchangedModel;
struct MarianOrder;

/// Writes config.json and generation_config.json. Throws FileError.
void write_marian_config(ExchangedModel& model, const Stacks& stacks, const MarianOrder& order,
                         const std::string& output);

}  // namespace heed::interchange
