#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "evaluate/reports.h"
#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/metrics/labels/accuracy.h"
#include "heed/metrics/reports/text_table.h"
#include "heed/report/heat_map.h"

namespace heed::apps {
namespace {

using metrics::Confusion;
using metrics::Matches;
using metrics::TableColumn;

constexpr size_t kMostInMatrix = 20;   // classes: more columns do not fit a terminal
constexpr size_t kMostMistakes = 20;   // rows of the list
constexpr size_t kMostInFigure = 200;  // classes

TableColumn column_of(const std::string& header) { return {.header = header, .cells = {}, .as_written = true}; }

std::string table_of(std::vector<TableColumn> columns) {
  return metrics::format_table(std::move(columns), metrics::TableStyle::FancyGrid, 0) + '\n';
}

std::string whole(double number) { return fmt::format("{:.0f}", number); }

/// Precision, recall and F1: one row per class and one for the means.
class ClassTable {
 public:
  explicit ClassTable(int decimals) : decimals_(decimals) {}

  void add(const std::string& name, const Matches& matches) {
    add_row(name, {matches.precision(), matches.recall(), matches.f1()}, matches.gold);
    precision_ += matches.precision();
    recall_ += matches.recall();
    f1_ += matches.f1();
    support_ += matches.gold;
    classes_ += 1;
  }

  std::string text() {
    add_row("mean of classes", {precision_ / classes_, recall_ / classes_, f1_ / classes_}, support_);
    return table_of(columns_);
  }

 private:
  void add_row(const std::string& name, const std::array<double, 3>& percents, double support) {
    columns_[0].cells.push_back(name);
    for (size_t i = 0; i < percents.size(); ++i) {
      columns_[i + 1].cells.push_back(fmt::format("{:.{}f}", percents[i], decimals_));
    }
    columns_[4].cells.push_back(whole(support));
  }

  int decimals_;
  std::vector<TableColumn> columns_{column_of("class"), column_of("precision"), column_of("recall"), column_of("F1"),
                                    column_of("support")};
  double precision_ = 0, recall_ = 0, f1_ = 0, support_ = 0, classes_ = 0;
};

std::string table_of_classes(const Confusion& confusion, int decimals) {
  ClassTable table(decimals);
  double right = 0, labels = 0;
  for (size_t i = 0; i < confusion.classes().size(); ++i) {
    const Matches matches = confusion.matches(i);
    table.add(confusion.classes()[i], matches);
    right += matches.right;
    labels += matches.gold;
  }
  const metrics::Accuracy accuracy;
  return table.text() + accuracy.line(accuracy.score(std::array{right, labels}), "", decimals) + '\n';
}

std::string matrix_of(const Confusion& confusion) {
  const std::vector<std::string>& classes = confusion.classes();
  std::vector<TableColumn> columns{column_of("gold \\ predicted")};
  columns[0].cells = classes;
  for (size_t found = 0; found < classes.size(); ++found) {
    TableColumn& column = columns.emplace_back(column_of(classes[found]));
    for (size_t gold = 0; gold < classes.size(); ++gold) {
      column.cells.push_back(std::to_string(confusion.count(gold, found)));
    }
  }
  return table_of(std::move(columns));
}

std::string list_of_mistakes(const Confusion& confusion, int decimals) {
  const std::vector<metrics::ConfusedPair> mistakes = confusion.mistakes();
  if (mistakes.empty()) return "";
  std::vector<TableColumn> columns{column_of("gold"), column_of("predicted"), column_of("labels"),
                                   column_of("% of gold")};
  const size_t shown = std::min(mistakes.size(), kMostMistakes);
  for (const metrics::ConfusedPair& mistake : std::span(mistakes).first(shown)) {
    const auto count = static_cast<double>(mistake.count);
    columns[0].cells.push_back(confusion.classes()[mistake.gold]);
    columns[1].cells.push_back(confusion.classes()[mistake.found]);
    columns[2].cells.push_back(whole(count));
    columns[3].cells.push_back(
        fmt::format("{:.{}f}", metrics::percent_of(count, confusion.matches(mistake.gold).gold), decimals));
  }
  return fmt::format("the most frequent of {}:\n{}", counted(std::ssize(mistakes), "confusion"),
                     table_of(std::move(columns)));
}

/// For each gold class, the shares of the predicted classes.
text::Alignment shares_of(const Confusion& confusion) {
  const size_t count = confusion.classes().size();
  text::Alignment map{.source = confusion.classes(), .target = confusion.classes(), .weights = {}};
  for (size_t gold = 0; gold < count; ++gold) {
    std::vector<float>& row = map.weights.emplace_back();
    const double all = confusion.matches(gold).gold;
    for (size_t found = 0; found < count; ++found) {
      const auto labels = static_cast<double>(confusion.count(gold, found));
      row.push_back(static_cast<float>(metrics::percent_of(labels, all) / 100));
    }
  }
  return map;
}

/// A text description of the figure, for people who cannot see it.
std::string description_of(const Confusion& confusion) {
  std::string text;
  for (size_t i = 0; i < confusion.classes().size(); ++i) {
    text +=
        fmt::format("{}{}: {:.1f}% right", i == 0 ? "" : "; ", confusion.classes()[i], confusion.matches(i).recall());
  }
  return text;
}

std::string figure_of(const Confusion& confusion) {
  constexpr double kBetween = 16;
  const std::array drawings{
      report::draw_heat_map(shares_of(confusion), {}),
      report::draw_color_scale("share of a class's labels (row) that were predicted as a class (column)")};
  return report::svg_document(report::stacked(drawings, kBetween), "Confusion of classes", description_of(confusion));
}

}  // namespace

std::string confusion_report(const Confusion& confusion, int decimals, AtomicFile* figure) {
  const size_t classes = confusion.classes().size();
  if (figure) {
    if (classes > kMostInFigure) {
      throw ConfigError("--figure",
                        fmt::format("can show at most {} classes, but there are {}", kMostInFigure, classes));
    }
    figure->write(figure_of(confusion));
    figure->commit();
  }
  const std::string below = classes > kMostInMatrix ? list_of_mistakes(confusion, decimals) : matrix_of(confusion);
  return table_of_classes(confusion, decimals) + below;
}

}  // namespace heed::apps
