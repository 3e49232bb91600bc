// Learns the tokenizers of a model from its training text.
#pragma once

#include <string>

#include "heed/text/tokenizer.h"
#include "heed/text/tokenizer_options.h"

namespace heed::text {

/// Learns from the text of each side and reads it once. If `source` is empty, there is no source tokenizer. A joint
/// vocabulary gives one tokenizer for both sides, or two with the same pieces if their normalizers differ. The result
/// depends only on options and text: there is no seed, and the number of threads does not matter. The learned sizes are
/// logged, with a warning if a vocabulary is smaller than requested. Throws ConfigError if the options cannot be met,
/// and Error for a text without tokens.
Tokenizers learn_tokenizers(const TokenizerOptions& options, LineSource source, LineSource target);

}  // namespace heed::text
