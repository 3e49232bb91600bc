// Tables for terminals and papers as sacreBLEU prints them with Python's tabulate: the first column flush right, the
// others centered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::metrics {

enum class TableStyle {
  FancyGrid,      ///< box-drawing characters; cells may have several lines
  LatexBooktabs,  ///< a tabular environment; special characters are escaped
};

struct TableColumn {
  std::string header;
  std::vector<std::string> cells;
  bool as_written = false;  ///< even if all cells are numbers
};

/// All columns have as many cells, at least one. A column of nothing but numbers, some with a point, is written with
/// `decimals` digits behind it, unless it is to be as written. Color codes (ESC [ ... letter) take no room. No line
/// feed at the end.
std::string format_table(std::vector<TableColumn> columns, TableStyle style, int decimals);

/// Without color codes.
std::string without_colors(std::string_view text);

}  // namespace heed::metrics
