#include "heed/metrics/reports/text_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"

namespace heed::metrics {
namespace {

using Lines = std::vector<std::string>;

constexpr size_t kRoomAroundHeader = 2;

size_t visible_width(std::string_view text) { return characters(without_colors(text)).size(); }

size_t width_of(const Lines& lines) {
  size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, visible_width(line));
  return width;
}

enum class Alignment { Right, Center };

std::string aligned(const std::string& line, size_t width, Alignment alignment) {
  const size_t room = width - std::min(width, visible_width(line));
  const size_t left = alignment == Alignment::Right ? room : room / 2;
  return std::string(left, ' ') + line + std::string(room - left, ' ');
}

bool is_number(const std::string& text) {
  const auto value = parse_python_float(text);
  if (!value) return false;
  return std::isfinite(*value) || text == "nan" || text == "inf" || text == "-inf";
}

/// Writes all numbers with `decimals` decimals if every cell is a number and at least one is not an integer.
void format_numbers(std::vector<std::string>& cells, int decimals) {
  bool any_fraction = false;
  for (const std::string& cell : cells) {
    const std::string text = without_colors(cell);
    if (!is_number(text)) return;
    any_fraction |= !parse_python_int(text).has_value();
  }
  if (!any_fraction) return;
  for (std::string& cell : cells) {
    const std::string text = without_colors(cell);
    cell.replace(cell.find(text), text.size(), fmt::format("{:.{}f}", *parse_python_float(text), decimals));
  }
}

Lines lines_of(std::string_view cell) {
  Lines lines;
  cell = strip(cell);
  for (size_t end; (end = cell.find('\n')) != std::string_view::npos; cell.remove_prefix(end + 1)) {
    lines.emplace_back(cell.substr(0, end));
  }
  lines.emplace_back(cell);
  return lines;
}

/// A column whose lines all have the same width.
struct LaidOut {
  size_t width = 0;
  std::string header;
  std::vector<Lines> cells;
};

LaidOut lay_out(TableColumn column, Alignment alignment, TableStyle style, int decimals) {
  if (!column.as_written) format_numbers(column.cells, decimals);
  LaidOut result{.width = visible_width(column.header) + kRoomAroundHeader, .header = {}, .cells = {}};
  for (const std::string& cell : column.cells) {
    result.cells.push_back(style == TableStyle::FancyGrid ? lines_of(cell) : Lines{std::string(strip(cell))});
    result.width = std::max(result.width, width_of(result.cells.back()));
  }
  result.header = aligned(column.header, result.width, alignment);
  for (Lines& lines : result.cells) {
    for (std::string& line : lines) line = aligned(line, result.width, alignment);
  }
  return result;
}

/// The lines of all columns in one row. Cells with fewer lines are padded with blank ones.
std::vector<Lines> row_lines(const std::vector<LaidOut>& columns, size_t row) {
  size_t count = 0;
  for (const LaidOut& column : columns) count = std::max(count, column.cells[row].size());
  std::vector<Lines> lines(count);
  for (size_t i = 0; i < count; ++i) {
    for (const LaidOut& column : columns) {
      const Lines& cell = column.cells[row];
      lines[i].push_back(i < cell.size() ? cell[i] : std::string(column.width, ' '));
    }
  }
  return lines;
}

Lines headers_of(const std::vector<LaidOut>& columns) {
  Lines headers;
  for (const LaidOut& column : columns) headers.push_back(column.header);
  return headers;
}

std::string rule(const std::vector<LaidOut>& columns, const char* left, std::string_view fill, const char* crossing,
                 const char* right) {
  std::string line = left;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line += crossing;
    for (size_t k = 0; k < columns[i].width + 2; ++k) line += fill;
  }
  return line + right + '\n';
}

std::string grid_line(const Lines& texts) { return fmt::format("│ {} │\n", fmt::join(texts, " │ ")); }

std::string fancy_grid(const std::vector<LaidOut>& columns) {
  std::string table = rule(columns, "╒", "═", "╤", "╕") + grid_line(headers_of(columns));
  for (size_t row = 0; row < columns[0].cells.size(); ++row) {
    table += row == 0 ? rule(columns, "╞", "═", "╪", "╡") : rule(columns, "├", "─", "┼", "┤");
    for (const Lines& texts : row_lines(columns, row)) table += grid_line(texts);
  }
  table += rule(columns, "╘", "═", "╧", "╛");
  table.pop_back();
  return table;
}

std::string latex_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        escaped.append({'\\', c});
        break;
      case '^':
        escaped += "\\^{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '<':
        escaped += "\\ensuremath{<}";
        break;
      case '>':
        escaped += "\\ensuremath{>}";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string latex_line(Lines texts) {
  for (std::string& text : texts) text = latex_escaped(text);
  return fmt::format(" {} \\\\\n", fmt::join(texts, " & "));
}

std::string latex_booktabs(const std::vector<LaidOut>& columns) {
  std::string table = "\\begin{tabular}{r" + std::string(columns.size() - 1, 'c') + "}\n\\toprule\n";
  table += latex_line(headers_of(columns)) + "\\midrule\n";
  for (size_t row = 0; row < columns[0].cells.size(); ++row) {
    for (Lines& texts : row_lines(columns, row)) table += latex_line(std::move(texts));
  }
  return table + "\\bottomrule\n\\end{tabular}";
}

}  // namespace

std::string without_colors(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    if (text.starts_with("\x1b[")) {
      const size_t end = text.find_first_not_of("0123456789;", 2);
      const bool is_code = end != std::string_view::npos && std::isalpha(static_cast<unsigned char>(text[end])) != 0;
      if (is_code) {
        text.remove_prefix(end + 1);
        continue;
      }
    }
    plain += text[0];
    text.remove_prefix(1);
  }
  return plain;
}

std::string format_table(std::vector<TableColumn> columns, TableStyle style, int decimals) {
  std::vector<LaidOut> laid_out;
  for (TableColumn& column : columns) {
    const Alignment alignment = laid_out.empty() ? Alignment::Right : Alignment::Center;
    laid_out.push_back(lay_out(std::move(column), alignment, style, decimals));
  }
  return style == TableStyle::FancyGrid ? fancy_grid(laid_out) : latex_booktabs(laid_out);
}

}  // namespace heed::metrics
