// Learns the tokenizers of a model from its training text.
#pragma once

#include <string>

#include "heed/text/tokenizer.h"
#include "heed/text/tokenizer_options.h"

namespace heed::text {

/// Learns from the text of each side, each read once. Without `source` (empty) there is no source tokenizer. A joint
/// vocabulary is one tokenizer for both sides, or two with the same pieces where their normalizers differ. The result
/// is a function of options and text alone: no seed, no number of threads has a part in it. Learned sizes are logged; a
/// text that gives fewer entries than asked for is a warning. Throws ConfigError where the options ask for the
/// impossible, Error for a text without tokens.
Tokenizers learn_tokenizers(const TokenizerOptions& options, LineSource source, LineSource target);

}  // namespace heed::text
