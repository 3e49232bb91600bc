// The parts of a Transformer's layers, and their names in other toolkits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/architecture/transformer_options.h"
#include "heed_torch/interchange/common/dimension_order.h"

namespace heed::interchange {

enum class PartKind {
  Map,       ///< projection: weight [out, in] and bias [out]
  Norm,      ///< weight and bias [d_model]; RMS norm has no bias
  Relative,  ///< keys and values [2 max_distance + 1, d_head] of relative positions
};

/// A part of a layer. If another toolkit has several names, heed stacks these tensors as one.
struct LayerParameter {
  std::string heed;                      ///< "encoder.layers.0.self_attention.output"
  std::vector<std::string> marian;       ///< in MarianMT of transformers, which does not have all parts
  std::vector<std::string> ctranslate2;  ///< in CTranslate2: "encoder/layer_0/self_attention/linear_1"
  PartKind kind;
  bool reads_states;   ///< the projection's input has the width of the states
  bool writes_states;  ///< the output of the projection or norm has the width of the states
};

/// The parts of an encoder, or of a decoder that has an encoder, in the order of the formula.
std::vector<LayerParameter> encoder_parts(const models::TransformerOptions& stack);
std::vector<LayerParameter> decoder_parts(const models::TransformerOptions& stack);

/// A part's weight or bias with the components of states in the new order.
at::Tensor reordered(const LayerParameter& part, const at::Tensor& tensor, const DimensionOrder& order);

}  // namespace heed::interchange
