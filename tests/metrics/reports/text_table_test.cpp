#include "heed/metrics/reports/text_table.h"

#include <gtest/gtest.h>

namespace heed::metrics {
namespace {

TEST(TextTable, GridHasTheFirstColumnRightAndOthersCentered) {
  EXPECT_EQ(format_table({{"System", {"a", "Größe"}}, {"BLEU", {"1.5", "100.0"}}}, TableStyle::FancyGrid, 1),
            "╒══════════╤════════╕\n"
            "│   System │  BLEU  │\n"
            "╞══════════╪════════╡\n"
            "│        a │  1.5   │\n"
            "├──────────┼────────┤\n"
            "│    Größe │ 100.0  │\n"
            "╘══════════╧════════╛");
}

TEST(TextTable, CellsOfAGridMayHaveLines) {
  EXPECT_EQ(format_table({{"S", {"x"}}, {"M", {"12345\n(p)"}}}, TableStyle::FancyGrid, 1),
            "╒═════╤═══════╕\n"
            "│   S │   M   │\n"
            "╞═════╪═══════╡\n"
            "│   x │ 12345 │\n"
            "│     │  (p)  │\n"
            "╘═════╧═══════╛");
}

TEST(TextTable, LatexEscapesWhatIsSpecial) {
  EXPECT_EQ(
      format_table({{"S", {"a_b%c&d{e}~^\\<$#>"}}, {"M", {"1.0"}}}, TableStyle::LatexBooktabs, 1),
      "\\begin{tabular}{rc}\n\\toprule\n"
      "                 S &  M  \\\\\n\\midrule\n"
      " a\\_b\\%c\\&d\\{e\\}\\textasciitilde{}\\^{}\\textbackslash{}\\ensuremath{<}\\$\\#\\ensuremath{>} & 1.0 \\\\\n"
      "\\bottomrule\n\\end{tabular}");
}

TEST(TextTable, AColumnOfNumbersWithAFractionIsRounded) {
  const auto cells_of = [](std::vector<std::string> names, bool as_written = false) {
    const std::string table = format_table({{"", std::move(names), as_written}}, TableStyle::LatexBooktabs, 1);
    return table.substr(table.find("midrule") + 8, table.find("\\bottom") - table.find("midrule") - 8);
  };
  EXPECT_EQ(cells_of({"12", "3.50"}), " 12.0 \\\\\n  3.5 \\\\\n");
  EXPECT_EQ(cells_of({"12", "007"}), "  12 \\\\\n 007 \\\\\n");
  EXPECT_EQ(cells_of({"3.50", "x"}), " 3.50 \\\\\n    x \\\\\n");
  EXPECT_EQ(cells_of({"12", "3.50"}, true), "   12 \\\\\n 3.50 \\\\\n");
}

TEST(TextTable, ColorsTakeNoRoom) {
  const std::string colored =
      format_table({{"\x1b[36mS\x1b[0m", {"\x1b[33mx\x1b[0m", "yy"}}}, TableStyle::FancyGrid, 1);
  EXPECT_NE(colored, without_colors(colored));
  EXPECT_EQ(without_colors(colored), format_table({{"S", {"x", "yy"}}}, TableStyle::FancyGrid, 1));
}

}  // namespace
}  // namespace heed::metrics
