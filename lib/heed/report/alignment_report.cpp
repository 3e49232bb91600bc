#include "heed/report/alignment_report.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"
#include "heed/report/heat_map.h"

namespace heed::report {
namespace {

constexpr double kBetweenMaps = 28;

/// A number as in JSON; null if it is not finite.
std::string weight_text(float weight) { return std::isfinite(weight) ? short_number(weight, 4) : "null"; }

template <class Range, class Write>
std::string json_list(const Range& values, Write&& write) {
  std::string list = "[";
  for (const auto& value : values) {
    if (list.size() > 1) list += ',';
    list += write(value);
  }
  return list + ']';
}

std::string json_words(const std::vector<std::string>& words) {
  return json_list(words, [](const std::string& word) { return python_json(word, JsonCharacters::Unicode); });
}

std::string json_weights(const text::AlignmentWeights& weights) {
  return json_list(weights, [](const auto& row) { return json_list(row, weight_text); });
}

/// The JSON members of channel attention; empty without it.
std::string json_of_layers(const std::vector<LayerMap>& layers) {
  if (layers.empty()) return {};
  const auto channels = [](const LayerMap& layer) { return json_list(layer.channels, weight_text); };
  const auto places = [](const LayerMap& layer) {
    return fmt::format(R"({{"rows":{},"columns":{},"step":{},"begin":{},"attention":{}}})", layer.shape.rows,
                       layer.shape.columns, short_number(layer.step), short_number(layer.begin),
                       json_list(layer.places, weight_text));
  };
  std::string json = R"(,"channel_attention":)" + json_list(layers, channels);
  if (!layers[0].places.empty()) json += R"(,"spatial_attention":)" + json_list(layers, places);
  return json;
}

/// The words without control characters, which a terminal would obey: each becomes U+FFFD.
std::vector<std::string> printable_words(const std::vector<std::string>& words) {
  std::vector<std::string> shown;
  for (const std::string& word : words) {
    std::string& text = shown.emplace_back();
    for (const char32_t c : to_code_points(word)) {
      const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
      append_utf8(text, control ? U'\uFFFD' : c);
    }
  }
  return shown;
}

const char* shade(float weight) {
  if (weight < 0.05F) return "  ";
  if (weight < 0.15F) return "░░";
  if (weight < 0.3F) return "▒▒";
  return weight < 0.5F ? "▓▓" : "██";
}

}  // namespace

std::optional<AlignmentFormat> alignment_format_of(std::string_view path) {
  if (has_ending(path, ".html") || has_ending(path, ".htm")) return AlignmentFormat::Html;
  if (has_ending(path, ".svg")) return AlignmentFormat::Svg;
  if (has_ending(path, ".json") || has_ending(path, ".jsonl")) return AlignmentFormat::Json;
  return std::nullopt;
}

bool shows_links(AlignmentFormat format) {
  return format != AlignmentFormat::Soft && format != AlignmentFormat::Blocks;
}

bool shows_maps(AlignmentFormat format) {
  return format == AlignmentFormat::Json || format == AlignmentFormat::Svg || format == AlignmentFormat::Html;
}

std::string AlignmentReport::add(const text::Alignment& alignment) {
  ++pairs_;
  const auto links = alignment.links(options_.threshold);
  switch (options_.format) {
    case AlignmentFormat::Pharaoh:
      return pharaoh(links) + '\n';
    case AlignmentFormat::Soft:
      return soft_weights(alignment.weights) + '\n';
    case AlignmentFormat::Json:
      return alignment_json(alignment, links) + '\n';
    case AlignmentFormat::Blocks:
      return alignment_blocks(alignment) + '\n';
    case AlignmentFormat::Svg:
      add_to_picture(alignment, links);
      break;
    case AlignmentFormat::Html:
      return add_to_page(alignment, links);
  }
  return {};
}

std::string AlignmentReport::begin_page() const {
  return options_.of_items ? item_page_begin(options_.title) : page_begin(options_.title, options_.shown);
}

std::string AlignmentReport::add(const SourceAttentionMap& map) {
  ++pairs_;
  switch (options_.format) {
    case AlignmentFormat::Json:
      return item_json(map) + '\n';
    case AlignmentFormat::Html:
      return (pairs_ == 1 ? begin_page() : "") + page_item(pairs_, map);
    case AlignmentFormat::Svg:
      drawings_.push_back(draw_item_map(map, fmt::format("item{}", pairs_)));
      description_ += (description_.empty() ? "" : " | ") + describe_item_map(map);
      return {};
    case AlignmentFormat::Pharaoh:
    case AlignmentFormat::Soft:
    case AlignmentFormat::Blocks:
      break;
  }
  throw std::logic_error("a format of words cannot show a map of an item");
}

std::string AlignmentReport::add_to_page(const text::Alignment& alignment, const std::vector<text::Link>& links) {
  std::string text = pairs_ == 1 ? begin_page() : "";
  if (!alignment.heads.empty() && !has_head_rules_) {
    size_t heads = 0;
    for (const auto& layer : alignment.heads) heads = std::max(heads, layer.size());
    text += page_head_rules(alignment.heads.size(), heads);
    has_head_rules_ = true;
  }
  return text + page_pair(pairs_, alignment, links, options_.shown);
}

void AlignmentReport::add_to_picture(const text::Alignment& alignment, const std::vector<text::Link>& links) {
  std::vector<Drawing> parts{draw_heat_map(alignment, links)};
  if (!alignment.heads.empty()) parts.push_back(draw_heads(alignment.heads));
  drawings_.push_back(stacked(parts, kBetweenMaps));
  if (!description_.empty()) description_ += " | ";
  description_ += describe_links(alignment, links);
}

std::string AlignmentReport::finish() {
  if (options_.format == AlignmentFormat::Html) {
    return (pairs_ == 0 ? begin_page() : "") + page_end();
  }
  if (options_.format != AlignmentFormat::Svg) return {};
  if (!options_.of_items) drawings_.push_back(draw_heat_legend(options_.shown));
  return svg_document(stacked(drawings_, kBetweenMaps), options_.title, description_);
}

std::string pharaoh(std::span<const text::Link> links) {
  std::string line;
  for (const auto& [source, target] : links) line += fmt::format("{}{}-{}", line.empty() ? "" : " ", source, target);
  return line;
}

std::string soft_weights(const text::AlignmentWeights& weights) {
  std::string line;
  for (size_t t = 0; t < weights.size(); ++t) {
    if (t > 0) line += ' ';
    for (size_t s = 0; s < weights[t].size(); ++s) line.append(s > 0 ? "," : "").append(weight_text(weights[t][s]));
  }
  return line;
}

std::string alignment_json(const text::Alignment& alignment, std::span<const text::Link> links) {
  const auto pair = [](const text::Link& link) { return fmt::format("[{},{}]", link.first, link.second); };
  std::string json = fmt::format(R"({{"source":{},"target":{},"links":{},"weights":{})", json_words(alignment.source),
                                 json_words(alignment.target), json_list(links, pair), json_weights(alignment.weights));
  if (!alignment.heads.empty()) {
    const auto layer = [](const auto& heads) { return json_list(heads, json_weights); };
    json += ",\"heads\":" + json_list(alignment.heads, layer);
  }
  return json + '}';
}

std::string item_json(const SourceAttentionMap& map) {
  std::string json = fmt::format(R"({{"target":{},"rows":{},"columns":{},"step":{},"begin":{},"attention":{})",
                                 json_words(map.words.target), map.shape.rows, map.shape.columns,
                                 short_number(map.step), short_number(map.begin), json_weights(map.weights));
  if (!map.words.source.empty()) {
    json += fmt::format(R"(,"source":{},"weights":{})", json_words(map.words.source), json_weights(map.words.weights));
  }
  return json + json_of_layers(map.layers) + '}';
}

std::string alignment_blocks(const text::Alignment& alignment) {
  const std::vector<std::string> source = printable_words(alignment.source);
  const std::vector<std::string> target = printable_words(alignment.target);
  size_t width = 0;
  for (const std::string& word : target) width = std::max(width, display_width(word));
  std::string text;
  for (size_t s = 0; s < source.size(); ++s) {
    text += std::string(width + 1, ' ');
    for (size_t before = 0; before < s; ++before) text += "│ ";
    text += "┌ " + source[s] + '\n';
  }
  for (size_t t = 0; t < target.size(); ++t) {
    text += target[t] + std::string(width + 1 - display_width(target[t]), ' ');
    for (const float weight : alignment.weights[t]) text += shade(weight);
    text += '\n';
  }
  return text;
}

}  // namespace heed::report
