#include "heed/report/source_attention_map.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/report/heat_map.h"

namespace heed::report {
namespace {

constexpr double kChannelCell = 10;
constexpr size_t kChannelsInARow = 64;
constexpr double kBetweenLayers = 6;
constexpr double kLayerNames = 60;  // space on the left

/// The cells of one layer, wrapped into several rows.
Drawing draw_layer(const LayerMap& layer, const std::string& name) {
  std::vector<Drawing> rows;
  for (size_t begin = 0; begin < layer.channels.size(); begin += kChannelsInARow) {
    const size_t end = std::min(begin + kChannelsInARow, layer.channels.size());
    text::Alignment cells{.source = {}, .target = {name}, .weights = {{}}};
    for (size_t channel = begin; channel < end; ++channel) {
      cells.source.push_back(fmt::format("feature map {}", channel + 1));
      cells.weights[0].push_back(layer.channels[channel]);
    }
    rows.push_back(draw_cells(cells.weights, kChannelCell, &cells));
  }
  return stacked(rows, 0);
}

}  // namespace

std::string layer_name(size_t index) { return fmt::format("layer {}", index + 1); }

Drawing draw_channels(std::span<const LayerMap> layers) {
  std::vector<Drawing> parts;
  for (size_t i = 0; i < layers.size(); ++i) {
    Drawing layer = draw_layer(layers[i], layer_name(i));
    layer.elements = svg_text(0, kChannelCell, layer_name(i)) +
                     fmt::format("<g transform=\"translate({} 0)\">\n{}</g>\n", kLayerNames, layer.elements);
    layer.width += kLayerNames;
    layer.height = std::max(layer.height, kFont);
    parts.push_back(std::move(layer));
  }
  parts.push_back(draw_color_scale("weights of the feature maps of each layer (channel attention)"));
  return stacked(parts, kBetweenLayers);
}

}  // namespace heed::report
