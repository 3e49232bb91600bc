// Reads CTranslate2's Transformers: model.bin, config.json, the vocabularies and the tokenizers beside them.
#pragma once

#include <string>

#include "heed_torch/interchange/common/exchanged_model.h"

namespace heed::interchange {

/// Entries follow in the order of their ids. Special ids of heed's that the other has not have a bias that no token
/// comes near. What is quantized is read as the numbers that it stands for. Throws CheckpointError, InputError,
/// FileError.
ExchangedModel read_ctranslate2(const std::string& directory);

}  // namespace heed::interchange
