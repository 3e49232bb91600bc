// The attention of chosen layers and heads of a model, for /v1/translate and the web page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "heed/serve/served_model.h"
#include "heed/translation/lines/translation.h"

namespace heed::serve {

enum class AttentionPart {
  Cross,    ///< of the decoder to the source
  Encoder,  ///< self-attention
  Decoder,  ///< self-attention
};

/// Which weights are asked for.
struct LayerSelection {
  AttentionPart part = AttentionPart::Cross;
  std::vector<int64_t> layers;  ///< from 1
  std::vector<int64_t> heads;   ///< from 1
};
/// Reads {"of": "cross", "layers": [6], "heads": [1, 2]}; all layers or heads if they are not named. Throws
/// RequestError if the model does not have them.
LayerSelection read_layer_selection(const nlohmann::json& json, const ServedModel& model);

/// The weights that the model has while it reads the translation: their rows are the tokens that attend, their columns
/// the tokens attended to, each with the number of its word in source_words or target_words (-1: none). Row i of the
/// decoder's self-attention is the step that writes token i. tag: the tokens before the translation. Throws
/// RequestError(413) for more than kMostWeights.
nlohmann::ordered_json layer_attention(const LayerSelection& selection, const ServedModel& model, const text::Ids& tag,
                                       const translation::Translation& translation);

inline constexpr int64_t kMostWeights = 1'000'000;  ///< of an answer

/// "cross", "encoder" or "decoder".
const char* name_of(AttentionPart part);
/// The layers and heads of this part.
const text::HeadWeights& part_of(const engine::AttentionRecord& record, AttentionPart part);

}  // namespace heed::serve
