// Reads MarianMT models as transformers saves them: config.json, model.safetensors, vocab.json, source.spm, target.spm.
#pragma once

#include <string>

#include "heed_torch/interchange/common/exchanged_model.h"

namespace heed::interchange {

/// The vocabulary: pad is the decoder's first token, heed's bos, and begins no word of the target otherwise, so that
/// heed's own pad has a row of zeros and a bias that no token comes near. Pieces follow in the order of their ids.
/// Throws CheckpointError, InputError, FileError.
ExchangedModel read_marian(const std::string& directory);

}  // namespace heed::interchange
