// Checks that models read the same kind of source, as ensembles require.
#pragma once

#include <string>

#include "heed/text/tokenizer.h"
#include "heed_torch/models/model.h"

namespace heed::translation {

/// Throws ConfigError unless `other`, the model given with `option`, reads the same kind of source as `model`: text of
/// the same vocabulary, vectors of the same form, or both.
void require_same_source(const models::Model& model, const text::Tokenizers& tokenizers, const models::Model& other,
                         const text::Tokenizers& other_tokenizers, const std::string& option);

}  // namespace heed::translation
