// What a Transformer's layers are made of, part by part, and what other toolkits call each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/architecture/transformer_options.h"
#include "heed_torch/interchange/common/width_order.h"

namespace heed::interchange {

enum class PartKind {
  Map,       ///< weight [out, in] and bias [out]
  Norm,      ///< weight and bias [d_model]; of rms no bias
  Relative,  ///< keys and values [2 max_distance + 1, d_head] of relative positions
};

/// The others' names: those that heed has stacked as one.
struct LayerPart {
  std::string heed;                      ///< "encoder.layers.0.self_attention.output"
  std::vector<std::string> marian;       ///< of transformers' MarianMT, which has not all parts
  std::vector<std::string> ctranslate2;  ///< of CTranslate2: "encoder/layer_0/self_attention/linear_1"
  PartKind kind;
  bool reads_states;   ///< the map's input is the states' width
  bool writes_states;  ///< its output is; so is that of a norm
};

/// The parts of an encoder or a decoder with an encoder, in the order of the formula.
std::vector<LayerPart> encoder_parts(const models::TransformerOptions& stack);
std::vector<LayerPart> decoder_parts(const models::TransformerOptions& stack);

/// A part's weight or bias with the components of states in the new order.
at::Tensor reordered(const LayerPart& part, const at::Tensor& tensor, const WidthOrder& order);

}  // namespace heed::interchange
