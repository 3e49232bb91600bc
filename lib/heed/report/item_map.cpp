#include "heed/report/item_map.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "heed/core/text/base64.h"
#include "heed/report/heat_map.h"

namespace heed::report {
namespace {

constexpr double kTile = 128;          // longer side of a grid's map
constexpr int kTiles = 7;              // side by side
constexpr double kSpace = 12;          // between maps
constexpr double kCaption = 20;        // above each
constexpr double kDarkest = 0.82;      // opacity over what has no weight
constexpr double kRow = 18;            // height of a word's row over a sequence
constexpr double kLongestLabel = 14;   // ems
constexpr float kFaintest = 0.01F;     // share of the largest weight
constexpr double kPictureHeight = 72;  // of a sequence

double largest(const std::vector<float>& weights) {
  return weights.empty() ? 0 : std::max(0.0F, *std::ranges::max_element(weights));
}

/// Of the largest weight, from 0 to 1.
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

/// The picture once, for `<use>`; nothing where there is none.
std::string define_picture(const ItemMap& map, const std::string& name, double width, double height) {
  if (map.picture.empty()) return {};
  return fmt::format(
      "<defs><image id=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/></defs>\n",
      escaped(name), short_number(width), short_number(height), base64(map.picture));
}

std::string caption(const std::string& word, double weight) {
  return fmt::format("{} {:.2f}", shortened(word, kLongestLabel), weight);
}

/// A grid's map for each word.
class Tiles {
 public:
  Tiles(const ItemMap& map, const std::string& name)
      : map_(map), name_(name), cell_(kTile / static_cast<double>(std::max(map.shape.rows, map.shape.columns))) {}

  Drawing draw() {
    drawing_.elements = define_picture(map_, name_, width(), height());
    if (!map_.picture.empty()) add("", picture() + frame());
    for (size_t t = 0; t < map_.weights.size(); ++t) {
      add(caption(map_.words.target[t], largest(map_.weights[t])), cells(shares(map_.weights[t])));
    }
    return drawing_;
  }

 private:
  double width() const { return cell_ * static_cast<double>(map_.shape.columns); }
  double height() const { return cell_ * static_cast<double>(map_.shape.rows); }
  std::string picture() const { return fmt::format("<use href=\"#{}\"/>\n", escaped(name_)); }
  std::string frame() const {
    return rectangle(0, 0, width(), height(), "fill=\"none\" stroke=\"#888888\" stroke-width=\"0.6\"");
  }

  std::string cells(const std::vector<float>& shares) const {
    std::string elements = map_.picture.empty() ? "" : picture();
    for (size_t i = 0; i < shares.size(); ++i) {
      const auto columns = static_cast<size_t>(map_.shape.columns);
      const std::string paint = map_.picture.empty()
                                    ? fmt::format("fill=\"{}\"", heat_color(shares[i]))
                                    : fmt::format("fill-opacity=\"{}\"", short_number(kDarkest * (1 - shares[i]), 3));
      elements += rectangle(cell_ * static_cast<double>(i % columns), cell_ * static_cast<double>(i / columns), cell_,
                            cell_, paint);
    }
    return elements + frame();
  }

  void add(const std::string& words, const std::string& elements) {
    const double tile = std::max(width(), 96.0) + kSpace;
    const double x = tile * (count_ % kTiles);
    const double y = (height() + kCaption + kSpace) * (count_ / kTiles);
    if (!words.empty()) drawing_.elements += svg_text(x, y + kFont, words);
    drawing_.elements += moved(x, y + kCaption, elements);
    drawing_.width = std::max(drawing_.width, x + tile);
    drawing_.height = y + kCaption + height();
    ++count_;
  }

  const ItemMap& map_;
  const std::string& name_;
  double cell_;
  int count_ = 0;
  Drawing drawing_;
};

double room_of(const std::vector<std::string>& words) {
  double width = 0;
  for (const std::string& word : words) width = std::max(width, text_width(shortened(word, kLongestLabel)));
  return width;
}

/// A row for each word over the time of a sequence.
Drawing draw_rows(const ItemMap& map, const std::string& name) {
  constexpr double kRoomForWeight = 4;  // ems
  const double left = (room_of(map.words.target) + kRoomForWeight) * kFont;
  const auto columns = static_cast<double>(map.shape.vectors());
  const double width = std::clamp(columns * 12, 240.0, 960.0), cell = width / columns;
  const double top = map.picture.empty() ? 0 : kPictureHeight + kSpace / 2;
  Drawing drawing{.width = left + width + 1,
                  .height = top + kRow * static_cast<double>(map.weights.size()) + 1,
                  .elements = define_picture(map, name, width, kPictureHeight)};
  if (!map.picture.empty()) drawing.elements += moved(left, 0, fmt::format("<use href=\"#{}\"/>\n", escaped(name)));
  for (size_t t = 0; t < map.weights.size(); ++t) {
    const double y = top + kRow * static_cast<double>(t);
    const std::vector<float> of_word = shares(map.weights[t]);
    drawing.elements += svg_text(left - 6, y + kRow - 5, caption(map.words.target[t], largest(map.weights[t])),
                                 "text-anchor=\"end\"");
    for (size_t i = 0; i < of_word.size(); ++i) {
      if (of_word[i] < kFaintest) continue;
      drawing.elements += rectangle(left + cell * static_cast<double>(i), y, cell, kRow,
                                    fmt::format("fill=\"{}\"", heat_color(of_word[i])));
    }
    drawing.elements += rectangle(left, y, width, kRow, "fill=\"none\" stroke=\"#000000\" stroke-opacity=\"0.14\"");
  }
  return drawing;
}

}  // namespace

Drawing draw_item_map(const ItemMap& map, const std::string& name) {
  if (map.weights.empty()) return {};
  return map.is_grid ? Tiles(map, name).draw() : draw_rows(map, name);
}

std::string describe_item_map(const ItemMap& map) {
  std::string description;
  for (size_t t = 0; t < map.weights.size(); ++t) {
    const std::vector<float>& weights = map.weights[t];
    if (weights.empty()) continue;
    const auto place = std::ranges::max_element(weights) - weights.begin();
    const std::string where =
        map.is_grid ? fmt::format("row {}, column {}", place / map.shape.columns + 1, place % map.shape.columns + 1)
                    : fmt::format("position {}", place + 1);
    description += fmt::format("{}{}: {} ({:.2f})", description.empty() ? "" : "; ", map.words.target[t], where,
                               weights[static_cast<size_t>(place)]);
  }
  return description;
}

}  // namespace heed::report
