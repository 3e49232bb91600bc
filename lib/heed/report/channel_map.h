// Which feature maps of each layer counted how much (channel attention): a row of cells for each layer, with the scale
// of a heat map, 0 to 1.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "heed/report/item_map.h"
#include "heed/report/markup.h"

namespace heed::report {

/// "layer 1" of index 0.
std::string layer_name(size_t index);
/// A cell tells its feature map and its weight when pointed at.
Drawing draw_channels(std::span<const LayerMap> layers);

}  // namespace heed::report
