// Reads CTranslate2's Transformers: model.bin, config.json, the vocabularies and the tokenizers in its directory.
#pragma once

#include <string>

#include "heed_torch/interchange/common/exchanged_model.h"

namespace heed::interchange {

/// Entries keep the order of their ids. Special ids of heed that CTranslate2 does not have get a bias far below those
/// of all tokens. Quantized weights are dequantized. Throws CheckpointError, InputError, FileError.
ExchangedModel read_ctranslate2(const std::string& directory);

}  // namespace heed::interchange
