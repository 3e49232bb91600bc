// MarianMT models as transformers saves them: config.json, model.safetensors, vocab.json, source.spm, target.spm.
#pragma once

#include <string>

#include "heed_torch/interchange/common/exchanged_model.h"
#include "heed_torch/interchange/common/refusal.h"

namespace heed::interchange {

/// MarianMT's pad is the decoder's first token, so it becomes heed's bos; it has no other use in the target. heed's own
/// pad therefore gets a row of zeros and a bias far below those of all tokens. Pieces keep the order of their ids.
/// Throws CheckpointError, InputError, FileError.
ExchangedModel read_marian(const std::string& directory);

/// Throws Refusal if MarianMT cannot hold a model of this architecture, or its tokenizers.
void require_marian(const models::ArchitectureOptions& arch, const text::Tokenizers& tokenizers, const Target& target);

/// model_directory: named if the model is refused. output: a directory that is new or empty. Settings of the model that
/// transformers does not have are added to left_out. Throws CheckpointError if the model has what MarianMT does not
/// support; FileError.
void write_marian(ExchangedModel& model, const std::string& model_directory, const std::string& output);

}  // namespace heed::interchange
