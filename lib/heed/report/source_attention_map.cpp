#include "heed/report/source_attention_map.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heed/report/heat_map.h"
#include "heed/report/line_chart.h"
#include "heed/report/markup.h"

namespace heed::report {
namespace {

constexpr double kTile = 128;          // longer side of a grid's map
constexpr int kTiles = 7;              // per row
constexpr double kSpace = 12;          // between maps
constexpr double kCaption = 20;        // above each
constexpr double kDarkest = 0.82;      // opacity without attention
constexpr double kRow = 18;            // height of a word's row over a sequence
constexpr double kLongestLabel = 14;   // ems
constexpr float kFaintest = 0.01F;     // fraction of the largest weight
constexpr double kPictureHeight = 72;  // of a sequence
constexpr double kBetweenParts = 16;   // maps, their color scale, channels
constexpr std::string_view kMeaning = "attention, as a share of the word's largest weight, which is next to the word";

double largest(const std::vector<float>& weights) {
  return weights.empty() ? 0 : std::max(0.0F, *std::ranges::max_element(weights));
}

/// The weights divided by the largest one.
std::vector<float> shares(const std::vector<float>& weights) {
  const double scale = largest(weights);
  std::vector<float> shares;
  for (const float weight : weights) shares.push_back(scale > 0 ? static_cast<float>(weight / scale) : 0);
  return shares;
}

std::string rectangle(double x, double y, double width, double height, const std::string& paint) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", short_number(x), short_number(y),
                     short_number(width), short_number(height), paint);
}

std::string moved(double x, double y, const std::string& elements) {
  return fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", short_number(x), short_number(y), elements);
}

/// A group that keeps its colors in dark figures: it contains an image.
std::string as_is(const std::string& elements) { return "<g class=\"as-is\">\n" + elements + "</g>\n"; }

/// Defines the image once, for `<use>`; empty without one.
std::string define_picture(const SourceAttentionMap& map, const std::string& name, double width, double height) {
  if (map.picture.empty()) return {};
  return fmt::format(
      "<defs><image id=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/></defs>\n",
      escaped(name), short_number(width), short_number(height), base64(map.picture));
}

std::string caption(const std::string& word, double weight) {
  return fmt::format("{} {:.2f}", shortened_to_width(word, kLongestLabel), weight);
}

/// The weights of a word or of a layer's spatial attention, and the place of their positions in the item.
struct Weighted {
  std::string name;
  const std::vector<float>& weights;  // [rows * columns]
  GridShape shape;
  double step;
  double begin;
};

/// All words, then all layers with spatial attention.
std::vector<Weighted> weighted_of(const SourceAttentionMap& map) {
  std::vector<Weighted> all;
  for (size_t t = 0; t < map.weights.size(); ++t) {
    all.push_back({map.words.target[t], map.weights[t], map.shape, map.step, map.begin});
  }
  for (size_t i = 0; i < map.layers.size(); ++i) {
    const LayerMap& layer = map.layers[i];
    if (layer.places.empty()) continue;
    all.push_back({layer_name(i) + " places", layer.places, layer.shape, layer.step, layer.begin});
  }
  return all;
}

/// The vectors that a position covers, along its side.
struct Stretch {
  double begin;
  double end;
};

/// The first position begins at the start of the item, and the last one ends at its end.
Stretch stretch_of(const Weighted& weighted, int64_t position, int64_t positions, int64_t vectors) {
  const auto edge = [&](int64_t at) {
    if (at == 0) return 0.0;
    if (at == positions) return static_cast<double>(vectors);
    return std::clamp(weighted.begin + static_cast<double>(at) * weighted.step, 0.0, static_cast<double>(vectors));
  };
  return {edge(position), edge(position + 1)};
}

/// The maps of a grid: one per word, one per layer.
class Tiles {
 public:
  Tiles(const SourceAttentionMap& map, const std::string& name)
      : map_(map), name_(name), pixel_(kTile / static_cast<double>(std::max(map.item.rows, map.item.columns))) {}

  Drawing draw() {
    drawing_.elements = define_picture(map_, name_, width(), height());
    if (!map_.picture.empty()) add("", picture() + frame());
    for (const Weighted& weighted : weighted_of(map_)) {
      add(caption(weighted.name, largest(weighted.weights)), cells(weighted));
    }
    return drawing_;
  }

 private:
  double width() const { return pixel_ * static_cast<double>(map_.item.columns); }
  double height() const { return pixel_ * static_cast<double>(map_.item.rows); }
  std::string picture() const { return fmt::format("<use href=\"#{}\"/>\n", escaped(name_)); }
  std::string frame() const {
    return rectangle(0, 0, width(), height(), "fill=\"none\" stroke=\"#888888\" stroke-width=\"0.6\"");
  }

  std::string paint_of(float share) const {
    return map_.picture.empty() ? fmt::format("fill=\"{}\"", heat_color(share))
                                : fmt::format("fill-opacity=\"{}\"", short_number(kDarkest * (1 - share), 3));
  }

  std::string cells(const Weighted& weighted) const {
    std::string elements = map_.picture.empty() ? "" : picture();
    const std::vector<float> of_places = shares(weighted.weights);
    size_t place = 0;
    for (int64_t row = 0; row < weighted.shape.rows; ++row) {
      const Stretch down = stretch_of(weighted, row, weighted.shape.rows, map_.item.rows);
      for (int64_t column = 0; column < weighted.shape.columns; ++column) {
        const Stretch right = stretch_of(weighted, column, weighted.shape.columns, map_.item.columns);
        elements += rectangle(pixel_ * right.begin, pixel_ * down.begin, pixel_ * (right.end - right.begin),
                              pixel_ * (down.end - down.begin), paint_of(of_places[place++]));
      }
    }
    return elements + frame();
  }

  void add(const std::string& words, const std::string& elements) {
    const double tile = std::max(width(), 96.0) + kSpace;
    const int row = count_ / kTiles, column = count_ % kTiles;
    const double x = tile * column, y = (height() + kCaption + kSpace) * row;
    if (!words.empty()) drawing_.elements += svg_text(x, y + kFont, words);
    drawing_.elements += moved(x, y + kCaption, map_.picture.empty() ? elements : as_is(elements));
    drawing_.width = std::max(drawing_.width, x + tile);
    drawing_.height = y + kCaption + height();
    ++count_;
  }

  const SourceAttentionMap& map_;
  const std::string& name_;
  double pixel_;  // size of a pixel in the drawing
  int count_ = 0;
  Drawing drawing_;
};

double room_of(const std::vector<Weighted>& rows) {
  double width = 0;
  for (const Weighted& row : rows) width = std::max(width, text_width(shortened_to_width(row.name, kLongestLabel)));
  return width;
}

/// The axis below the rows, and what their colors mean.
Drawing draw_time(int64_t vectors, double left, double width) {
  constexpr double kTick = 5, kNumbers = 18, kTitle = 36;
  const Axis axis = axis_of(0, static_cast<double>(vectors));
  Drawing drawing{.width = left + width + 1, .height = kTitle + 6, .elements = {}};
  const auto step = std::max<int64_t>(std::llround(axis.step), 1);
  for (int64_t number = 0; number <= vectors; number += step) {
    const double x = left + width * static_cast<double>(number) / static_cast<double>(vectors);
    drawing.elements += fmt::format("<path d=\"M{} 0v{}\" stroke=\"#888888\"/>\n", short_number(x), kTick);
    drawing.elements += svg_text(x, kNumbers, std::to_string(number), "text-anchor=\"middle\" font-size=\"11\"");
  }
  drawing.elements += svg_text(left + width / 2, kTitle - 2, "position in the source, in vectors",
                               "text-anchor=\"middle\" font-size=\"11\"");
  return drawing;
}

/// The rows of a sequence over time: one per word, one per layer.
Drawing draw_rows(const SourceAttentionMap& map, const std::string& name) {
  constexpr double kRoomForWeight = 4;  // ems
  const std::vector<Weighted> rows = weighted_of(map);
  const double left = (room_of(rows) + kRoomForWeight) * kFont;
  const double width = std::clamp(static_cast<double>(map.shape.columns) * 12, 240.0, 960.0);
  const double frame = width / static_cast<double>(map.item.columns);
  const double top = map.picture.empty() ? 0 : kPictureHeight + kSpace / 2;
  Drawing drawing{.width = left + width + 1,
                  .height = top + kRow * static_cast<double>(rows.size()) + 1,
                  .elements = define_picture(map, name, width, kPictureHeight)};
  if (!map.picture.empty())
    drawing.elements += moved(left, 0, as_is(fmt::format("<use href=\"#{}\"/>\n", escaped(name))));
  double y = top;
  for (const Weighted& row : rows) {
    const std::vector<float> of_row = shares(row.weights);
    drawing.elements +=
        svg_text(left - 6, y + kRow - 5, caption(row.name, largest(row.weights)), "text-anchor=\"end\"");
    for (int64_t i = 0; i < row.shape.columns; ++i) {
      const float share = of_row[static_cast<size_t>(i)];
      if (share < kFaintest) continue;
      const Stretch place = stretch_of(row, i, row.shape.columns, map.item.columns);
      drawing.elements += rectangle(left + frame * place.begin, y, frame * (place.end - place.begin), kRow,
                                    fmt::format("fill=\"{}\"", heat_color(share)));
    }
    drawing.elements += rectangle(left, y, width, kRow, "fill=\"none\" stroke=\"#000000\" stroke-opacity=\"0.14\"");
    y += kRow;
  }
  return stacked(std::vector{drawing, draw_time(map.item.columns, left, width)}, 0);
}

}  // namespace

Drawing draw_item_map(const SourceAttentionMap& map, const std::string& name) {
  if (map.weights.empty() && map.layers.empty()) return {};
  std::vector<Drawing> parts{map.is_grid ? Tiles(map, name).draw() : draw_rows(map, name)};
  if (!map.is_grid || map.picture.empty()) parts.push_back(draw_color_scale(kMeaning));
  if (!map.layers.empty()) parts.push_back(draw_channels(map.layers));
  return stacked(parts, kBetweenParts);
}

std::string describe_item_map(const SourceAttentionMap& map) {
  std::string description;
  const auto add = [&](const std::string& name, const std::string& where, float weight) {
    description += fmt::format("{}{}: {} ({:.2f})", description.empty() ? "" : "; ", name, where, weight);
  };
  for (const Weighted& weighted : weighted_of(map)) {
    if (weighted.weights.empty()) continue;
    const auto largest = std::ranges::max_element(weighted.weights);
    const auto place = largest - weighted.weights.begin();
    const int64_t columns = weighted.shape.columns;
    add(weighted.name,
        map.is_grid ? fmt::format("row {}, column {}", place / columns + 1, place % columns + 1)
                    : fmt::format("position {}", place + 1),
        *largest);
  }
  for (size_t i = 0; i < map.layers.size(); ++i) {
    const std::vector<float>& channels = map.layers[i].channels;
    const auto largest = std::ranges::max_element(channels);
    add(layer_name(i), fmt::format("feature map {}", largest - channels.begin() + 1), *largest);
  }
  return description;
}

}  // namespace heed::report
