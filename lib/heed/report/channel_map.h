// Channel attention as an image: the weights of the feature maps, one row of cells per layer. The color scale is that
// of a heat map, 0 to 1.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "heed/report/markup.h"
#include "heed/report/source_attention_map.h"

namespace heed::report {

/// "layer 1" for index 0.
std::string layer_name(size_t index);
/// Pointing at a cell shows its feature map and its weight.
Drawing draw_channels(std::span<const LayerMap> layers);

}  // namespace heed::report
