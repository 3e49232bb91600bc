#include "item_maps.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "heed/media/png_file.h"
#include "heed_torch/translation/channel_weights.h"

namespace heed::apps {
namespace {

uint8_t shade(float share) { return static_cast<uint8_t>(std::lround(255 * std::clamp(share, 0.0F, 1.0F))); }

std::vector<uint8_t> shades(std::span<const float> values) {
  std::vector<uint8_t> made;
  for (const float value : values) made.push_back(shade(value));
  return made;
}

/// Scales the values so that the smallest is 0 and the largest 255.
std::vector<uint8_t> stretched(std::span<const float> values) {
  const auto [least, greatest] = std::ranges::minmax(values);
  const float range = greatest > least ? greatest - least : 1;
  std::vector<uint8_t> made;
  for (const float value : values) made.push_back(shade((value - least) / range));
  return made;
}

bool within_unit(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return value >= 0 && value <= 1; });
}

/// [vectors, width] -> the mean of each vector.
std::vector<float> means(std::span<const float> values, int64_t width) {
  std::vector<float> made;
  for (size_t begin = 0; begin < values.size(); begin += static_cast<size_t>(width)) {
    float sum = 0;
    for (const float value : values.subspan(begin, static_cast<size_t>(width))) sum += value;
    made.push_back(sum / static_cast<float>(width));
  }
  return made;
}

/// [columns, width] -> [width, columns], transposed and upside down.
std::vector<float> on_their_sides(std::span<const float> values, int64_t width) {
  const auto rows = static_cast<size_t>(width);
  const size_t columns = values.size() / rows;
  std::vector<float> made(values.size());
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      made[(rows - 1 - row) * columns + column] = values[column * rows + row];
    }
  }
  return made;
}

}  // namespace

std::string picture_of(const search::SourceItem& item, bool is_grid) {
  const int64_t width = std::ssize(item.values) / item.shape.vectors();
  media::PngPixels picture{.height = item.shape.rows, .width = item.shape.columns, .channels = 1, .pixels = {}};
  if (!is_grid) {
    picture.height = width;
    picture.pixels = stretched(on_their_sides(item.values, width));
  } else if ((width == 1 || width == 3) && within_unit(item.values)) {
    picture.channels = width;
    picture.pixels = shades(item.values);
  } else {
    picture.pixels = stretched(means(item.values, width));
  }
  return media::write_png(picture);
}

ItemMaps::ItemMaps(const api::OpenedTorchModel& used)
    : model_(used.opened.model), device_(used.device), vectors_(used.opened.options.arch.vectors) {}

report::SourceAttentionMap ItemMaps::of(const search::SourceItem* item, text::Alignment words,
                                        text::AlignmentWeights weights) const {
  report::SourceAttentionMap map{.words = std::move(words), .weights = std::move(weights)};
  if (!item) return map;
  map.is_grid = *models::form_of(vectors_)->grid;
  map.item = item->shape;
  map.shape = models::shape_left(vectors_, item->shape);
  const models::PositionSpan span = models::position_span(vectors_);
  map.step = span.step;
  map.begin = span.begin;
  map.layers = layers_of(*item);
  map.picture = picture_of(*item, map.is_grid);
  return map;
}

std::vector<report::LayerMap> ItemMaps::layers_of(const search::SourceItem& item) const {
  const auto* convolved = std::get_if<models::ConvolvedVectors>(&vectors_.type);
  if (!convolved || !models::has_channel_attention(vectors_)) return {};
  std::vector<report::LayerMap> maps;
  models::ConvolvedVectors until = *convolved;  // the layers up to the current one
  until.layers = 0;
  for (translation::ChannelWeights& layer : translation::channel_weights(*model_, item, device_)) {
    ++until.layers;
    const models::PositionSpan span = models::position_span({until});
    maps.push_back({.channels = std::move(layer.channels),
                    .places = std::move(layer.places),
                    .shape = layer.shape,
                    .step = span.step,
                    .begin = span.begin});
  }
  return maps;
}

}  // namespace heed::apps
