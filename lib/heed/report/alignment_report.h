// Writes alignments of any number of pairs in a selected format: text for programs, block characters for a terminal,
// SVG or HTML.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/report/markup.h"
#include "heed/report/source_attention_map.h"
#include "heed/text/alignment.h"

namespace heed::report {

enum class AlignmentFormat { Pharaoh, Soft, Json, Blocks, Svg, Html };
constexpr auto option_names(AlignmentFormat) {
  return std::array{std::pair{AlignmentFormat::Pharaoh, "pharaoh"}, std::pair{AlignmentFormat::Soft, "soft"},
                    std::pair{AlignmentFormat::Json, "json"},       std::pair{AlignmentFormat::Blocks, "blocks"},
                    std::pair{AlignmentFormat::Svg, "svg"},         std::pair{AlignmentFormat::Html, "html"}};
}
/// The format of a file name that ends in .json, .jsonl, .svg, .html or .htm; none for other endings.
std::optional<AlignmentFormat> alignment_format_of(std::string_view path);
/// Whether the format shows links in addition to weights, and whether it can show maps of heads and of items.
bool shows_links(AlignmentFormat format);
bool shows_maps(AlignmentFormat format);

struct AlignmentReportOptions {
  AlignmentFormat format = AlignmentFormat::Pharaoh;
  std::optional<double> threshold = {};  ///< see text::Alignment::links
  std::string title = {};                ///< of an HTML page
  std::string shown = {};                ///< which attention it shows, for a page; may be empty
  bool of_items = false;                 ///< whether maps of items are added; the format must support them
};

/// Returns the report in pieces. In text formats a pair is one line; `blocks` has several lines and a blank one. `svg`
/// is one image with all pairs below each other, which finish() returns.
class AlignmentReport {
 public:
  explicit AlignmentReport(AlignmentReportOptions options) : options_(std::move(options)) {}

  std::string add(const text::Alignment& alignment);
  std::string add(const SourceAttentionMap& map);
  std::string finish();

 private:
  std::string begin_page() const;
  std::string add_to_page(const text::Alignment& alignment, const std::vector<text::Link>& links);
  void add_to_picture(const text::Alignment& alignment, const std::vector<text::Link>& links);

  AlignmentReportOptions options_;
  int64_t pairs_ = 0;
  bool has_head_rules_ = false;
  std::vector<Drawing> drawings_;
  std::string description_;
};

/// "0-0 1-2": the Pharaoh format. The source word comes first; words count from 0.
std::string pharaoh(std::span<const text::Link> links);
/// "0.9,0.1 0.2,0.8": the weights of each target word over the source words, in Marian's format of soft alignments.
std::string soft_weights(const text::AlignmentWeights& weights);
/// One JSON object on one line: "source" and "target" (the words), "links" ([source, target]), "weights"
/// ([target][source]) and, if there are any, "heads" ([layer][head][target][source]).
std::string alignment_json(const text::Alignment& alignment, std::span<const text::Link> links);
/// The same for an item:
/// - "target": the words.
/// - "rows" and "columns" of the encoder positions. "step" and "begin": position i of a side covers the pixels or
///   frames from begin + i * step.
/// - "attention": [target][rows * columns].
/// - If the source has text too: "source" and "weights" ([target][source]).
/// - With channel attention: "channel_attention" ([layer][feature map]).
/// - With spatial attention: "spatial_attention", per layer an object of "rows", "columns", "step", "begin" and
///   "attention" ([rows * columns]).
std::string item_json(const SourceAttentionMap& map);
/// An image of block characters: one row per target word, two characters wide per source word. Each line ends in a line
/// feed. A pair without words gives an empty string.
std::string alignment_blocks(const text::Alignment& alignment);

/// Alignments as an HTML page, one self-contained file without scripts: the page before the first pair. shown: which
/// attention the maps show; may be empty.
std::string page_begin(const std::string& title, const std::string& shown);
/// A section with both sentences and their heat map. With `heads`, a small map of each layer and head can be selected.
std::string page_pair(int64_t number, const text::Alignment& alignment, std::span<const text::Link> links,
                      const std::string& shown);
/// The style rules that show the selected head's map. Needed once, before the first pair that has heads.
std::string page_head_rules(size_t layers, size_t heads);
/// The beginning of a page of images, audio or other vectors.
std::string item_page_begin(const std::string& title);
/// A section with the words written for an item, its map and, if the source has text too, a heat map of the text.
std::string page_item(int64_t number, const SourceAttentionMap& map);
std::string page_end();

}  // namespace heed::report
