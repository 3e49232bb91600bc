#include <cmath>

#include <fmt/format.h>

#include "heed/core/text/counted.h"
#include "heed/curation/report/charts.h"
#include "heed/curation/report/data_report.h"
#include "heed/report/markup.h"

namespace heed::curation {
namespace {

using report::escaped;

constexpr std::string_view kPageStyle = R"(
:root { color-scheme: light dark; --page: #f6f5f2; --card: #ffffff; --text: #22211f; --faint: #76736c; --line: #e3e0da;
        --one: #2f6fb3; --two: #d5680d; --good: #2c8a57; }
@media (prefers-color-scheme: dark) { :root { --page: #16171a; --card: #1f2125; --text: #e8e6e1; --faint: #9a978f;
        --line: #34363c; --one: #6aa7e8; --two: #f0954a; --good: #58b985; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 32px 24px 80px; max-width: 1240px; background: var(--page); color: var(--text);
       font: 15px/1.5 system-ui, "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 26px; margin: 0; font-weight: 650; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 40px 0 12px; font-weight: 650; }
h3 { font-size: 14px; margin: 0 0 8px; font-weight: 600; }
p { margin: 4px 0 12px; color: var(--faint); max-width: 78ch; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(160px, 1fr)); gap: 12px; margin: 24px 0; }
.tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 18px; }
.tile b { display: block; font-size: 24px; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.25; }
.tile span { color: var(--faint); font-size: 13px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); gap: 16px; }
.card svg { width: 100%; height: auto; max-width: 640px; }
.key i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin: 0 5px 0 12px; }
.s1 { fill: var(--one); } .s2 { fill: var(--two); } rect:hover { opacity: .7; }
.grid { stroke: var(--line); fill: none; } .tick { fill: var(--faint); font-size: 11px; }
.label { fill: var(--faint); font-size: 12px; }
.bar { background: var(--line); border-radius: 3px; height: 8px; overflow: hidden; min-width: 90px; }
.bar i { display: block; height: 100%; background: var(--two); min-width: 1px; }
.whole .bar { height: 14px; background: var(--good); } .whole { margin: 8px 0 4px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 7px 10px; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 500; font-size: 13px; } td.n, th.n { text-align: right; white-space: nowrap; }
td.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.off td { color: var(--faint); } code { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; }
details { border-top: 1px solid var(--line); padding: 10px 0; } details:first-child { border: 0; }
summary { cursor: pointer; } summary span { color: var(--faint); }
.pair { margin: 10px 0 10px 18px; padding-left: 14px; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
.pair small { color: var(--faint); } .pair div { white-space: pre-wrap; }
@media print { body { background: none; } .card, .tile { break-inside: avoid; } }
)";

constexpr size_t kMostCharacters = 600;  // of an example's side

double share_of(int64_t count, int64_t all) {
  return static_cast<double>(count) / static_cast<double>(std::max<int64_t>(all, 1));
}

std::string percent(int64_t count, int64_t all) {
  if (count == 0) return "0";
  const double value = 100 * share_of(count, all);
  return value < 0.1 ? "&lt;0.1%" : fmt::format("{:.1f}%", value);
}

std::string tile(const std::string& value, std::string_view meaning) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", value, meaning);
}

std::string tiles(const DataReport& report) {
  const auto mean = [&](const SideTotals& side) {
    return fmt::format("{:.1f}", static_cast<double>(side.words) / static_cast<double>(report.pairs));
  };
  return "<div class=\"tiles\">\n" + tile(format_count(report.pairs), "pairs") +
         tile(percent(report.removed, report.pairs), "removed by the default filters") +
         tile(format_count(report.source.words), "words of the source, " + mean(report.source) + " per line") +
         tile(format_count(report.target.words), "words of the target, " + mean(report.target) + " per line") +
         tile(fmt::format("{:.2f}", report.length_ratio), "characters of the target per character of the source") +
         tile(percent(report.of(Filter::Duplicate).pairs + report.of(Filter::NearDuplicate).pairs, report.pairs),
              "repeat an earlier pair, or nearly") +
         "</div>\n";
}

std::string remarks(const DataReport& report) {
  std::string text;
  for (const std::string& remark : remarks_of(report)) text += "<p>" + escaped(remark) + "</p>\n";
  return text;
}

std::string filter_rows(const DataReport& report) {
  std::string rows;
  int64_t most = 1;
  for (const Finding& finding : report.findings) most = std::max(most, finding.pairs);
  for (const auto& [filter, name] : option_names(Filter{})) {
    const Finding& finding = report.of(filter);
    rows += fmt::format(
        "<tr{}><td><code>{}</code></td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        kDefaultFilters.contains(filter) ? "" : " class=\"off\"", name, description_of(filter),
        format_count(finding.pairs), percent(finding.pairs, report.pairs),
        finding.pairs > 0 ? share_bar(share_of(finding.pairs, most)) : "", format_count(finding.only),
        finding.pairs > 0 ? position_chart(finding.by_position, fmt::format("where {} finds pairs", name)) : "");
  }
  return rows;
}

std::string filter_table(const DataReport& report) {
  return "<h2>What the filters find</h2>\n<div class=\"card\"><div class=\"whole\">" +
         share_bar(share_of(report.removed, report.pairs)) + "</div>\n<p><code>heed data filter</code> would remove " +
         format_count(report.removed) + " pairs and keep " + format_count(report.pairs - report.removed) +
         ". It does not apply the filters in grey by default. The last columns: pairs that no default filter but this one "
         "finds, and where in the corpus the pairs are.</p>\n<div class=\"scroll\"><table><tr><th>filter</th><th>finds</th>"
         "<th class=\"n\">pairs</th><th></th><th></th><th class=\"n\">only it</th><th>position</th></tr>\n" +
         filter_rows(report) + "</table></div></div>\n";
}

std::string overlap_table(const DataReport& report) {
  if (report.overlaps.empty()) return {};
  std::string rows;
  for (const OverlapTotals& overlap : report.overlaps) {
    rows += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{} ({})</td><td class=\"n\">{} ({})</td><td class=\"n\">{} ({})</td></tr>\n",
        overlap.name, format_count(overlap.pairs), format_count(overlap.equal), percent(overlap.equal, overlap.pairs),
        format_count(overlap.near), percent(overlap.near, overlap.pairs), format_count(overlap.source_only),
        percent(overlap.source_only, overlap.pairs));
  }
  return "<h2>Leaks</h2>\n<div class=\"card\"><p>Pairs of the held-out texts that are in this text too. Scores on them do not show "
         "how a model does on new text.</p><div class=\"scroll\"><table><tr><th>text</th><th class=\"n\">pairs</th><th class=\"n\">equal</th><th class=\"n\">nearly equal</th>"
         "<th class=\"n\">only the source is equal</th></tr>\n" +
         rows + "</table></div></div>\n";
}

std::string card(std::string_view title, std::string_view meaning, const std::string& chart) {
  return fmt::format("<div class=\"card\"><h3>{}</h3><p>{}</p>{}</div>\n", title, meaning, chart);
}

std::string charts(const DataReport& report) {
  const auto whole = [](double value) { return fmt::format("{}", static_cast<int64_t>(std::ceil(value))); };
  const auto decimal = [](double value) { return fmt::format("{:.1f}", value); };
  const auto power = [](double value) { return fmt::format("{:.2f}", std::exp(value)); };
  constexpr std::string_view kKey =
      "<span class=\"key\"><i class=\"s1\" style=\"background:var(--one)\"></i>source<i style=\"background:var(--two)\"></i>target</span>";
  return "<h2>What the text is like</h2>\n<div class=\"cards\">\n" +
         card("Lengths", fmt::format("Words per line. {}", kKey),
              histogram_chart(
                  {.x_label = "words", .sides = {&report.source_words, &report.target_words}, .label = whole})) +
         card("Lengths of both sides", "Pairs far from the diagonal are rarely translations.",
              joint_lengths_chart(report)) +
         card("Length ratio",
              "Characters of the target per character of the source. The counts are on a logarithmic scale.",
              histogram_chart(
                  {.x_label = "ratio", .sides = {&report.ratio}, .label = power, .scale = BarScale::Logarithmic})) +
         card("Alignment",
              fmt::format(
                  "Probability that the sides are translations of each other, by a lexical table learned from {} pairs "
                  "of this text. The counts are on a logarithmic scale.",
                  format_count(report.learned_pairs)),
              histogram_chart({.x_label = "probability",
                               .sides = {&report.alignment},
                               .label = decimal,
                               .label_every = 5,
                               .scale = BarScale::Logarithmic})) +
         card("Languages",
              fmt::format(
                  "How much the character trigrams of a line are those of its side: text in another language is on the "
                  "left, and so are names and codes. The counts are on a logarithmic scale. {}",
                  kKey),
              histogram_chart({.x_label = "mean score of the trigrams",
                               .sides = {&report.source_language, &report.target_language},
                               .label = decimal,
                               .scale = BarScale::Logarithmic})) +
         "</div>\n";
}

std::string side_text(const std::string& text) {
  if (text.size() <= kMostCharacters) return escaped(text);
  size_t end = kMostCharacters;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // a whole character
  return escaped(text.substr(0, end)) + "…";
}

std::string examples(const DataReport& report) {
  std::string text;
  for (const auto& [filter, name] : option_names(Filter{})) {
    const Finding& finding = report.of(filter);
    if (finding.examples.empty()) continue;
    text +=
        fmt::format("<details><summary><code>{}</code> <span>{}: {} of {}</span></summary>\n", name,
                    description_of(filter), format_count(std::ssize(finding.examples)), counted(finding.pairs, "pair"));
    for (const Example& example : finding.examples) {
      text += fmt::format(
          "<div class=\"pair\"><small>line {}{}</small><div><bdi>{}</bdi></div><div><bdi>{}</bdi></div></div>\n",
          format_count(example.line), example.note.empty() ? "" : ", " + escaped(example.note),
          side_text(example.source), side_text(example.target));
    }
    text += "</details>\n";
  }
  return text.empty() ? text : "<h2>Examples</h2>\n<div class=\"card\">" + text + "</div>\n";
}

}  // namespace

std::string html_report(const DataReport& report) {
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
             "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
             escaped(report.names), kPageStyle) +
         tiles(report) + remarks(report) + filter_table(report) + overlap_table(report) + charts(report) +
         examples(report) + "</body>\n</html>\n";
}

}  // namespace heed::curation
