#include "heed/report/alignment_report.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "heed/report/alignment_page.h"
#include "heed/report/alignment_text.h"
#include "heed/report/heat_map.h"
#include "heed/report/markup.h"

namespace heed::report {
namespace {

constexpr double kBetweenMaps = 28;

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

}  // namespace heed::report
