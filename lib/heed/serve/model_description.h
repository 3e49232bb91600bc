// What /v1/models tells about each model: what the web page needs to show it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "heed/serve/model_set.h"

namespace heed::serve {

/// For each language pair: source, target, the kinds of encoder and decoder, the beam, and of each attention that can
/// be shown the number of layers and heads and the score that its weights are computed from.
nlohmann::ordered_json describe_models(const ModelSet& models);

}  // namespace heed::serve
