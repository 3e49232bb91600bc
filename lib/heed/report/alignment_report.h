// Alignments of any number of pairs in the form that was asked for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/report/item_map.h"
#include "heed/report/markup.h"
#include "heed/text/alignment.h"

namespace heed::report {

enum class AlignmentFormat { Pharaoh, Soft, Json, Blocks, Svg, Html };
constexpr auto option_names(AlignmentFormat) {
  return std::array{std::pair{AlignmentFormat::Pharaoh, "pharaoh"}, std::pair{AlignmentFormat::Soft, "soft"},
                    std::pair{AlignmentFormat::Json, "json"},       std::pair{AlignmentFormat::Blocks, "blocks"},
                    std::pair{AlignmentFormat::Svg, "svg"},         std::pair{AlignmentFormat::Html, "html"}};
}
/// The format of a file that ends in .json, .jsonl, .svg, .html or .htm.
std::optional<AlignmentFormat> alignment_format_of(std::string_view path);
/// Whether the format tells links apart from other weights, and whether it has room for the maps of heads and of items.
bool shows_links(AlignmentFormat format);
bool shows_maps(AlignmentFormat format);

struct AlignmentReportOptions {
  AlignmentFormat format = AlignmentFormat::Pharaoh;
  std::optional<double> threshold = {};  ///< see text::Alignment::links
  std::string title = {};                ///< of a page
  std::string shown = {};                ///< which attention it is, for a page; may be empty
  bool of_items = false;                 ///< what is added are maps of items; the format must show them
};

/// Gives the report piece by piece. In the text formats a pair is a line (of blocks: as many lines as it needs and a
/// blank one); svg is one picture with all pairs below each other, which is held until the end.
class AlignmentReport {
 public:
  explicit AlignmentReport(AlignmentReportOptions options) : options_(std::move(options)) {}

  std::string add(const text::Alignment& alignment);
  std::string add(const ItemMap& map);
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
