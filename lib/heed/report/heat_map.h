// An attention matrix as an image, as in Bahdanau et al. 2015 (https://arxiv.org/abs/1409.0473), Figure 3. Columns are
// source words, rows are target words; a darker cell has a greater weight. The scale is always 0 to 1, so that maps can
// be compared. White to dark blue is readable in black-and-white print and by color-blind people. Links have an orange
// outline.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/report/markup.h"
#include "heed/text/alignment.h"

namespace heed::report {

/// "#rrggbb" for a weight from 0 (white) to 1 (dark blue); other weights are clipped.
std::string heat_color(float weight);

/// The words around the cells of a map. `corner` is the top left corner of the cells, `cell` the size of a cell.
struct HeatMapFrame {
  double cell = 0;
  double corner_x = 0;
  double corner_y = 0;
  Drawing labels;  ///< the words; has the size of the whole map

  HeatMapFrame(const std::vector<std::string>& source, const std::vector<std::string>& target);
};

/// The cells without words. Cells too faint to see are left out. With names, pointing at a cell shows its words and its
/// weight.
Drawing draw_cells(const text::AlignmentWeights& weights, double cell, const text::Alignment* names = nullptr);
/// An outline around each linked cell.
std::string draw_links(std::span<const text::Link> links, double cell);
/// The words, cells and links.
Drawing draw_heat_map(const text::Alignment& alignment, std::span<const text::Link> links);
/// Small cells of every layer (from top to bottom) and head (from left to right).
Drawing draw_heads(const std::vector<std::vector<text::AlignmentWeights>>& heads);
/// The color scale from 0 to 1 and its meaning.
Drawing draw_color_scale(std::string_view meaning);
/// The color scale of attention and an example of a link. `shown`: which attention it is ("layer 2, head 1"); empty:
/// not mentioned.
Drawing draw_heat_legend(std::string_view shown = {});

/// The links in words: "Haus: house (0.83); ...".
std::string describe_links(const text::Alignment& alignment, std::span<const text::Link> links);

}  // namespace heed::report
