#include "heed/report/alignment_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"
#include "heed/report/markup.h"

namespace heed::report {
namespace {

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
