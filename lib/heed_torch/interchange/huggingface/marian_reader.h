// Reads MarianMT models saved by transformers: config.json, model.safetensors, vocab.json, source.spm, target.spm.
#pragma once

#include <string>

#include "heed_torch/interchange/common/exchanged_model.h"

namespace heed::interchange {

/// MarianMT's pad is the decoder's first token, so it becomes heed's bos; it has no other use in the target. heed's own
/// pad therefore gets a row of zeros and a bias far below those of all tokens. Pieces keep the order of their ids.
/// Throws CheckpointError, InputError, FileError.
ExchangedModel read_marian(const std::string& directory);

}  // namespace heed::interchange
