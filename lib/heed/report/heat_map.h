// A matrix of words by words as a picture, as in Bahdanau et al. 2015 (https://arxiv.org/abs/1409.0473), Figure 3:
// columns are source words, rows target words, and the darker a cell the greater its weight. The scale is always 0 to
// 1, so that maps can be compared. White to dark blue is told apart in print and by the color-blind; links have an
// orange outline.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/report/markup.h"
#include "heed/text/alignment.h"

namespace heed::report {

/// "#rrggbb" for a weight of 0 (white) to 1 (dark blue); what lies outside is cut off.
std::string heat_color(float weight);

/// The words around the cells of a map. `corner` is where the cells begin, `cell` the size of one.
struct HeatMapFrame {
  double cell = 0;
  double corner_x = 0;
  double corner_y = 0;
  Drawing labels;  ///< the words; as large as the whole map

  HeatMapFrame(const std::vector<std::string>& source, const std::vector<std::string>& target);
};

/// The cells, without words. A weight that shows no color is left out. With names the cells tell theirs and their
/// weight when pointed at.
Drawing draw_cells(const text::AlignmentWeights& weights, double cell, const text::Alignment* names = nullptr);
/// An outline around each linked cell.
std::string draw_links(std::span<const text::Link> links, double cell);
/// Words, cells and links.
Drawing draw_heat_map(const text::Alignment& alignment, std::span<const text::Link> links);
/// The cells of every layer (downwards) and head (to the right), small.
Drawing draw_heads(const std::vector<std::vector<text::AlignmentWeights>>& heads);
/// The colors from 0 to 1 and what they mean.
Drawing draw_color_scale(std::string_view meaning);
/// The same of attention, and what a link looks like. `shown`: which attention it is ("layer 2, head 1"), if that is to
/// be said.
Drawing draw_heat_legend(std::string_view shown = {});

/// The links in words: "Haus: house (0.83); ...".
std::string describe_links(const text::Alignment& alignment, std::span<const text::Link> links);

}  // namespace heed::report
