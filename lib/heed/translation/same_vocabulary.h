// Checks that models have the same vocabulary, which ensembles and shallow fusion need.
#pragma once

#include <string>

#include "heed/text/tokenizer.h"

namespace heed::translation {

/// Throws ConfigError unless both tokenizers have the same entries. tokenizer: the translation model's on `side`
/// ("source" or "target"). other: the tokenizer of the model that `option` names.
void require_same_vocabulary(const text::Tokenizer& tokenizer, const text::Tokenizer& other, const std::string& option,
                             const std::string& side);

}  // namespace heed::translation
