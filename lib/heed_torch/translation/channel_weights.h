// The weights of channel attention for a source: of each feature map and of each place
// (heed_torch/nn/attention/channel_attention.h).
#pragma once

#include <vector>

#include <c10/core/Device.h>

#include "heed/core/files/vector_layout.h"
#include "heed/search/source_item.h"
#include "heed_torch/models/model.h"

namespace heed::translation {

/// The weights of one layer, all between 0 and 1.
struct ChannelWeights {
  std::vector<float> channels;     ///< one for each feature map
  std::vector<float> places = {};  ///< one for each place of `shape`, row by row; empty without spatial attention
  GridShape shape = {};            ///< shape of the layer's feature maps; a sequence has one row
};

/// The weights of each layer for an item, first layer first; empty without channel attention. The model must read
/// vectors, be on `device` and be in evaluation mode.
std::vector<ChannelWeights> channel_weights(const models::Model& model, const search::SourceItem& item,
                                            at::Device device);

}  // namespace heed::translation
