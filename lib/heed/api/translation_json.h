// A translation as JSON, as `heed translate --format json` and `heed serve` write it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "heed/text/tokenizer.h"
#include "heed/translation/lines/translation.h"

namespace heed::api {

struct JsonContents {
  bool tokens = false;     ///< the tokens with their log-probabilities
  bool alignment = false;  ///< which words are aligned
};

/// Adds the members translation, score and flags, and those that `contents` asks for. The translation must have what
/// they need (search::ReturnOptions). target: the target's tokenizer.
void add_translation(nlohmann::ordered_json& object, const translation::Translation& translation,
                     const JsonContents& contents, const text::Tokenizer& target);

/// A number with the digits that n-best lists have.
double rounded_score(double value);

}  // namespace heed::api
