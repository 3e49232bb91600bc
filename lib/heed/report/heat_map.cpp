#include "heed/report/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace heed::report {
namespace {

constexpr double kGap = 6;            // between words and cells
constexpr double kSlope = 0.7071;     // of the source words, 45 degrees
constexpr float kInvisible = 0.005F;  // looks white on a screen
constexpr double kLongestWord = 14;   // ems
constexpr double kLine = 1;           // of the grid: half of its width is outside the cells

constexpr double kScaleWidth = 160, kScaleHeight = 10, kScaleTop = 18;  // of the color scale

/// ColorBrewer's "Blues" (Cynthia Brewer), but beginning with pure white.
constexpr std::array<std::array<int, 3>, 9> kBlues{{{255, 255, 255},
                                                    {222, 235, 247},
                                                    {198, 219, 239},
                                                    {158, 202, 225},
                                                    {107, 174, 214},
                                                    {66, 146, 198},
                                                    {33, 113, 181},
                                                    {8, 81, 156},
                                                    {8, 48, 107}}};

double widest(const std::vector<std::string>& words) {
  double width = 0;
  for (const std::string& word : words) width = std::max(width, std::min(text_width(word), kLongestWord));
  return width * kFont;
}

std::string grid(size_t columns, size_t rows, double cell) {
  const double width = cell * static_cast<double>(columns), height = cell * static_cast<double>(rows);
  std::string path;
  for (size_t i = 0; i <= columns; ++i) {
    path += fmt::format("M{} 0v{}", short_number(cell * static_cast<double>(i)), short_number(height));
  }
  for (size_t i = 0; i <= rows; ++i) {
    path += fmt::format("M0 {}h{}", short_number(cell * static_cast<double>(i)), short_number(width));
  }
  return fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"#000000\" stroke-opacity=\"{}\" stroke-width=\"{}\" "
      "pointer-events=\"none\"/>\n",
      path, cell < 12 ? "0.2" : "0.14", cell < 12 ? "0.4" : "1");
}

std::string cell_element(size_t column, size_t row, double cell, float weight, const text::Alignment* names) {
  const std::string x = short_number(cell * static_cast<double>(column));
  const std::string y = short_number(cell * static_cast<double>(row));
  std::string element = fmt::format("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\" fill=\"{3}\"", x, y,
                                    short_number(cell), heat_color(weight));
  if (!names) return element + "/>\n";
  return element + fmt::format("><title>{} – {}: {:.2f}</title></rect>\n", escaped(names->source[column]),
                               escaped(names->target[row]), weight);
}

}  // namespace

std::string heat_color(float weight) {
  const double place = std::isnan(weight) ? 0 : std::clamp(double{weight}, 0.0, 1.0) * (kBlues.size() - 1);
  const size_t below = std::min(static_cast<size_t>(place), kBlues.size() - 2);
  const double share = place - static_cast<double>(below);
  std::string color = "#";
  for (size_t i = 0; i < 3; ++i) {
    color += fmt::format("{:02x}", std::lround(kBlues[below][i] * (1 - share) + kBlues[below + 1][i] * share));
  }
  return color;
}

HeatMapFrame::HeatMapFrame(const std::vector<std::string>& source, const std::vector<std::string>& target) {
  cell = std::max(source.size(), target.size()) > 40 ? 18 : 24;
  corner_x = widest(target) + kGap;
  corner_y = widest(source) * kSlope + kGap + kFont / 2;
  const double columns_end = corner_x + cell * static_cast<double>(source.size());
  double right = columns_end;
  labels.elements = fmt::format("<g font-size=\"{}\" fill=\"#222222\">\n", kFont);
  for (size_t s = 0; s < source.size(); ++s) {
    const double x = corner_x + cell * (static_cast<double>(s) + 0.5) + kFont * 0.25, y = corner_y - kGap;
    const std::string word = shortened_to_width(source[s], kLongestWord);
    right = std::max(right, x + text_width(word) * kFont * kSlope + kFont / 2);
    const std::string turn = fmt::format("transform=\"rotate(-45 {} {})\"", short_number(x), short_number(y));
    labels.elements += svg_text(x, y, word, turn);
  }
  for (size_t t = 0; t < target.size(); ++t) {
    const double y = corner_y + cell * (static_cast<double>(t) + 0.5) + kFont * 0.35;
    labels.elements += svg_text(corner_x - kGap, y, shortened_to_width(target[t], kLongestWord), "text-anchor=\"end\"");
  }
  labels.elements += "</g>\n";
  labels.width = right + kLine;
  labels.height = corner_y + cell * static_cast<double>(target.size()) + kLine;
}

Drawing draw_cells(const text::AlignmentWeights& weights, double cell, const text::Alignment* names) {
  const size_t columns = weights.empty() ? 0 : weights[0].size();
  Drawing drawing{.width = cell * static_cast<double>(columns),
                  .height = cell * static_cast<double>(weights.size()),
                  .elements = {}};
  for (size_t row = 0; row < weights.size(); ++row) {
    for (size_t column = 0; column < columns; ++column) {
      const float weight = weights[row][column];
      if (weight >= kInvisible) drawing.elements += cell_element(column, row, cell, weight, names);
    }
  }
  drawing.elements += grid(columns, weights.size(), cell);
  return drawing;
}

std::string draw_links(std::span<const text::Link> links, double cell) {
  if (links.empty()) return {};
  constexpr double kInset = 1.5;
  std::string path;
  for (const auto& [source, target] : links) {
    const double side = cell - 2 * kInset;
    path += fmt::format("M{} {}h{}v{}h{}z", short_number(cell * static_cast<double>(source) + kInset),
                        short_number(cell * static_cast<double>(target) + kInset), short_number(side),
                        short_number(side), short_number(-side));
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#e66100\" stroke-width=\"2\" pointer-events=\"none\"/>\n",
                     path);
}

Drawing draw_heat_map(const text::Alignment& alignment, std::span<const text::Link> links) {
  const HeatMapFrame frame(alignment.source, alignment.target);
  const Drawing cells = draw_cells(alignment.weights, frame.cell, &alignment);
  Drawing map = frame.labels;
  map.elements += fmt::format("<g transform=\"translate({} {})\">\n{}{}</g>\n", short_number(frame.corner_x),
                              short_number(frame.corner_y), cells.elements, draw_links(links, frame.cell));
  return map;
}

Drawing draw_heads(const std::vector<std::vector<text::AlignmentWeights>>& heads) {
  constexpr double kCell = 6, kSpace = 14, kLeft = 56, kTop = 20;
  Drawing grid;
  double y = kTop;
  for (size_t layer = 0; layer < heads.size(); ++layer) {
    double x = kLeft, height = 0;
    for (size_t head = 0; head < heads[layer].size(); ++head) {
      const Drawing cells = draw_cells(heads[layer][head], kCell);
      if (layer == 0) {
        grid.elements += svg_text(x + cells.width / 2, kTop - 7, fmt::format("head {}", head + 1),
                                  "text-anchor=\"middle\" font-size=\"11\"");
      }
      grid.elements +=
          fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", short_number(x), short_number(y), cells.elements);
      x += std::max(cells.width, 42.0) + kSpace;
      height = cells.height;
    }
    grid.elements += svg_text(kLeft - 8, y + height / 2 + 4, fmt::format("layer {}", layer + 1),
                              "text-anchor=\"end\" font-size=\"11\"");
    grid.width = std::max(grid.width, x - kSpace);
    y += height + kSpace;
  }
  grid.height = y - kSpace;
  return grid;
}

Drawing draw_color_scale(std::string_view meaning) {
  constexpr int kSteps = 32;
  Drawing scale{.width = text_width(meaning) * 11, .height = kScaleTop + kScaleHeight + 16, .elements = {}};
  scale.elements = svg_text(0, 11, meaning, "font-size=\"11\"");
  for (int i = 0; i < kSteps; ++i) {
    scale.elements += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                                  short_number(kScaleWidth * i / kSteps), short_number(kScaleTop),
                                  short_number(kScaleWidth / kSteps + 0.3), short_number(kScaleHeight),
                                  heat_color(static_cast<float>(i) / (kSteps - 1)));
  }
  scale.elements += fmt::format(
      "<rect y=\"{0}\" width=\"{1}\" height=\"{2}\" fill=\"none\" stroke=\"#888888\" stroke-width=\"0.6\"/>\n",
      short_number(kScaleTop), short_number(kScaleWidth), short_number(kScaleHeight));
  for (int i = 0; i <= 2; ++i) {
    scale.elements += svg_text(kScaleWidth * i / 2, kScaleTop + kScaleHeight + 13, short_number(i / 2.0),
                               fmt::format("font-size=\"11\" text-anchor=\"{}\"",
                                           std::array{"start", "middle", "end"}[static_cast<size_t>(i)]));
  }
  return scale;
}

Drawing draw_heat_legend(std::string_view shown) {
  std::string meaning = "attention of the target word (row) to the source word (column)";
  if (!shown.empty()) meaning += fmt::format(", {}", shown);
  Drawing legend = draw_color_scale(meaning);
  legend.elements +=
      fmt::format("<g transform=\"translate({} {})\">{}</g>\n", short_number(kScaleWidth + 24),
                  short_number(kScaleTop - 2), draw_links(std::array{text::Link{0, 0}}, kScaleHeight + 4));
  legend.elements += svg_text(kScaleWidth + 44, kScaleTop + kScaleHeight - 1, "link", "font-size=\"11\"");
  return legend;
}

std::string describe_links(const text::Alignment& alignment, std::span<const text::Link> links) {
  std::string description;
  for (const auto& [s, t] : links) {
    const auto source = static_cast<size_t>(s), target = static_cast<size_t>(t);
    if (!description.empty()) description += "; ";
    description += fmt::format("{}: {} ({:.2f})", alignment.target[target], alignment.source[source],
                               alignment.weights[target][source]);
  }
  return description;
}

}  // namespace heed::report
