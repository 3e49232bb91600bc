// Writes alignments of any number of pairs in a selected format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
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

}  // namespace heed::report
