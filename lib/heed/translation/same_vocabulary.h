// Checks that models have the same vocabulary, which ensembles and shallow fusion need.
#pragma once

#include <string>

#include "heed/text/tokenizer.h"

namespace heed::translation {

/// Throws ConfigError unless `other`, the tokenizer of the model that `option` names, has the entries of `tokenizer`,
/// the translation model's of that side ("source" or "target").
void require_same_vocabulary(const text::Tokenizer& tokenizer, const text::Tokenizer& other, const std::string& option,
                             const std::string& side);

}  // namespace heed::translation
