// Tables for terminals and papers, as sacreBLEU prints them with Python's tabulate. The first column is right-aligned,
// the others are centered.
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
  bool as_written = false;  ///< do not reformat, even if all cells are numbers
};

/// All columns have the same number of cells, at least one. A column of numbers, at least one of them with a decimal
/// point, is written with `decimals` decimals, unless it is `as_written`. Color codes (ESC [ ... letter) have no width.
/// There is no line feed at the end.
std::string format_table(std::vector<TableColumn> columns, TableStyle style, int decimals);

/// The text without color codes.
std::string without_colors(std::string_view text);

}  // namespace heed::metrics
