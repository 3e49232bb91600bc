// CTranslate2's Transformers as its converters write them: model.bin, config.json, the vocabularies and the tokenizers.
#pragma once

#include <string>

#include "heed_torch/interchange/common/exchanged_model.h"
#include "heed_torch/interchange/common/refusal.h"

namespace heed::interchange {

/// Entries keep the order of their ids. Special ids of heed that CTranslate2 does not have get a bias far below those
/// of all tokens. Quantized weights are dequantized. Throws CheckpointError, InputError, FileError.
ExchangedModel read_ctranslate2(const std::string& directory);

/// Throws Refusal if CTranslate2 cannot hold a model of this architecture. It can hold all tokenizers.
void require_ctranslate2(const models::ArchitectureOptions& arch, const text::Tokenizers& tokenizers,
                         const Target& target);

/// model_directory: named if the model is refused. output: a directory that is new or empty. Throws CheckpointError if
/// the model has what CTranslate2 does not support; FileError.
void write_ctranslate2(ExchangedModel& model, const std::string& model_directory, const std::string& output);

}  // namespace heed::interchange
