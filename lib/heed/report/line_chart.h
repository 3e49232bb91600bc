// Lines over a few categories, such as scores of several systems over ranges of sentence length (Bahdanau et al. 2015,
// Figure 2). Lines differ in color (those of Okabe and Ito, which the color-blind can tell apart), in marker and in
// dashes, so that they can be told apart in black and white too.
#pragma once

#include <string>
#include <vector>

#include "heed/report/markup.h"

namespace heed::report {

struct ChartLine {
  std::string name;
  std::vector<double> values;        ///< for each category; NaN: none, the line has a gap
  std::vector<double> margins = {};  ///< plus or minus, for each category; empty: none are drawn
};

enum class Scale { Linear, Logarithmic };

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> categories;
  std::vector<std::string> notes = {};  ///< in small letters below the categories; empty: none
  std::vector<ChartLine> lines;
  std::string caption = {};     ///< in small letters at the bottom: how the values were made
  int decimals = 1;             ///< of the values that are told when a point is pointed at
  Scale scale = Scale::Linear;  ///< of the values; Logarithmic: all of them above 0
};

Drawing draw_line_chart(const LineChart& chart);

/// The ends and the step of an axis that shows [lowest, highest] in about five steps of 1, 2 or 5 times a power of ten.
/// It begins at 0 where that leaves more than half of it to the values.
struct Axis {
  double begin = 0;
  double end = 1;
  double step = 1;
};
Axis axis_of(double lowest, double highest);

/// The numbers on a logarithmic axis that shows [lowest, highest], 0 < lowest: 1, 2 and 5 times powers of ten, or only
/// those powers where it spans more than three, and not all of them beyond eight. The first and the last are its ends.
std::vector<double> logarithmic_numbers(double lowest, double highest);

}  // namespace heed::report
