// Line charts over a few categories, such as scores of several systems by sentence length (Bahdanau et al. 2015, Figure
// 2). Lines differ in color (Okabe and Ito's palette for color-blind people), marker and dashes, so that they can be
// distinguished in black and white too.
#pragma once

#include <string>
#include <vector>

#include "heed/report/markup.h"

namespace heed::report {

struct ChartLine {
  std::string name;
  std::vector<double> values;        ///< per category; NaN: a gap in the line
  std::vector<double> margins = {};  ///< half the height of the error bars, per category; empty: no error bars
};

enum class Scale { Linear, Logarithmic };

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> categories;
  std::vector<std::string> notes = {};  ///< in small print below the categories; empty: none
  std::vector<ChartLine> lines;
  std::string caption = {};     ///< in small print at the bottom: how the values were computed
  int decimals = 1;             ///< of the values shown when pointing at a point
  Scale scale = Scale::Linear;  ///< of the values; Logarithmic: all must be above 0
};

Drawing draw_line_chart(const LineChart& chart);

/// An axis that shows [lowest, highest] in about five steps of 1, 2 or 5 times a power of ten. It begins at 0 if the
/// values then still use more than half of it.
struct Axis {
  double begin = 0;
  double end = 1;
  double step = 1;
};
Axis axis_of(double lowest, double highest);

/// The numbers on a logarithmic axis that shows [lowest, highest], 0 < lowest: 1, 2 and 5 times powers of ten. Above
/// three powers of ten it has only the powers; above eight, only some of them. The first and last number are the ends
/// of the axis.
std::vector<double> logarithmic_numbers(double lowest, double highest);

}  // namespace heed::report
