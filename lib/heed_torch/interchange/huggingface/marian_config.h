// What config.json and tokenizer_config.json say of a MarianMT model of transformers
// (https://huggingface.co/docs/transformers/model_doc/marian).
#pragma once

#include <cstdint>
#include <string>

#include "heed/architecture/architecture.h"

namespace heed::interchange {

struct MarianConfig {
  models::ArchitectureOptions arch;
  int64_t source_rows;  ///< of the source's table of embeddings
  int64_t target_rows;
  bool one_vocabulary;  ///< vocab.json holds for both languages; else target_vocab.json for the target
  int64_t pad_id;       ///< the decoder's first token, too, never produced
  int64_t eos_id;
  std::string pad = "<pad>", unk = "<unk>", eos = "</s>";  ///< as vocab.json has them
};

/// Throws CheckpointError where the configuration is none of MarianMT, or of one that heed has not; FileError.
MarianConfig read_marian_config(const std::string& directory);

struct Stacks;
struct ExchangedModel;
struct MarianOrder;

/// config.json and generation_config.json. Throws FileError.
void write_marian_config(ExchangedModel& model, const Stacks& stacks, const MarianOrder& order,
                         const std::string& output);

}  // namespace heed::interchange
