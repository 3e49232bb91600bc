#include <algorithm>

#include <fmt/format.h>

#include "heed/core/text/counted.h"
#include "heed/core/text/printable.h"
#include "heed/curation/report/data_report.h"

namespace heed::curation {
namespace {

constexpr size_t kTextWidth = 100;

std::string share(int64_t count, int64_t all) {
  if (count == 0) return "0";
  const double percent = 100 * static_cast<double>(count) / static_cast<double>(std::max<int64_t>(all, 1));
  return percent < 0.1 ? "<0.1%" : fmt::format("{:.1f}%", percent);
}

std::string side_row(std::string_view name, const SideTotals& side, int64_t pairs) {
  return fmt::format("{:<8}{:>14}{:>14}{:>12.1f}{:>14}  (line {})\n", name, format_count(side.words),
                     format_count(side.characters), static_cast<double>(side.words) / static_cast<double>(pairs),
                     format_count(side.most_words), format_count(side.most_words_line));
}

std::string overlap_row(const OverlapTotals& overlap) {
  return fmt::format("{} text: of {} pairs, {} are in the training text, {} nearly, and the sources of {} more\n",
                     overlap.name, format_count(overlap.pairs), format_count(overlap.equal), format_count(overlap.near),
                     format_count(overlap.source_only));
}

std::string one_line(const std::string& text) { return shortened(printable(text), kTextWidth); }

std::string examples_of(const Finding& finding) {
  std::string text;
  for (const Example& example : finding.examples) {
    const std::string note = example.note.empty() ? "" : " (" + example.note + ")";
    text += fmt::format("  line {}{}\n    {}\n    {}\n", format_count(example.line), note, one_line(example.source),
                        one_line(example.target));
  }
  return text;
}

}  // namespace

std::string text_report(const DataReport& report) {
  std::string text = fmt::format("{}: {} pairs\n\n", report.names, format_count(report.pairs));
  text += fmt::format("{:<8}{:>14}{:>14}{:>12}{:>14}\n", "", "words", "characters", "words/line", "longest line");
  text += side_row("source", report.source, report.pairs) + side_row("target", report.target, report.pairs);
  text += fmt::format(
      "\nThe target has {:.2f} times the characters of the source. Lines of several sentences: {} of the "
      "source, {} of the target.\n",
      report.length_ratio, format_count(report.source.several_sentences),
      format_count(report.target.several_sentences));
  for (const std::string& remark : remarks_of(report)) text += remark + '\n';
  for (const OverlapTotals& overlap : report.overlaps) text += overlap_row(overlap);
  text += fmt::format("\n{:<16}{:>10}{:>8}{:>10}  {}\n", "filter", "pairs", "", "only it", "finds");
  for (const auto& [filter, name] : option_names(Filter{})) {
    const Finding& finding = report.of(filter);
    text += fmt::format("{:<16}{:>10}{:>8}{:>10}  {}{}\n", name, format_count(finding.pairs),
                        share(finding.pairs, report.pairs), format_count(finding.only), description_of(filter),
                        kDefaultFilters.contains(filter) ? "" : " (not a default filter)");
  }
  text += fmt::format("\n`heed data filter` would remove {} of {} pairs ({}) with its default filters.\n",
                      format_count(report.removed), format_count(report.pairs), share(report.removed, report.pairs));
  for (const auto& [filter, name] : option_names(Filter{})) {
    const Finding& finding = report.of(filter);
    if (finding.pairs == 0 || finding.examples.empty()) continue;
    text += fmt::format("\n{}: {}; {} of {}\n", name, description_of(filter),
                        format_count(std::ssize(finding.examples)), format_count(finding.pairs));
    text += examples_of(finding);
  }
  return text;
}

}  // namespace heed::curation
