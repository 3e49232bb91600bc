// Writes models as CTranslate2's converters do.
#pragma once

#include <string>

#include "heed_torch/interchange/common/exchanged_model.h"
#include "heed_torch/interchange/common/refusal.h"

namespace heed::interchange {

/// Throws Refusal where CTranslate2 cannot hold a model of this architecture. It holds any tokenizers.
void require_ctranslate2(const models::ArchitectureOptions& arch, const text::Tokenizers& tokenizers,
                         const Target& target);

/// model_directory: named where the model is refused. output: a directory that is new or empty. Throws CheckpointError
/// where the model has what CTranslate2 has not; FileError.
void write_ctranslate2(ExchangedModel& model, const std::string& model_directory, const std::string& output);

}  // namespace heed::interchange
