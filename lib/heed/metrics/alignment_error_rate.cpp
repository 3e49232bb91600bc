#include "heed/metrics/alignment_error_rate.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::metrics {
namespace {

struct Link {
  std::pair<int64_t, int64_t> positions;
  bool sure = true;
};

/// Absent unless `text` is digits, one of - ? p, digits.
std::optional<Link> parse_link(std::string_view text) {
  const char* const end = text.data() + text.size();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const char* const mark = std::find_if_not(text.data(), end, is_digit);
  if (mark == text.data() || end - mark < 2 || !std::all_of(mark + 1, end, is_digit)) return std::nullopt;
  if (*mark != '-' && *mark != '?' && *mark != 'p') return std::nullopt;
  Link link{.positions = {}, .sure = *mark == '-'};
  const bool fits = std::from_chars(text.data(), mark, link.positions.first).ec == std::errc{} &&
                    std::from_chars(mark + 1, end, link.positions.second).ec == std::errc{};
  return fits ? std::optional(link) : std::nullopt;
}

class LinkExtractor : public Extractor {
 public:
  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    if (references.size() != 1) throw Error(fmt::format("AER takes one gold alignment, found {}", references.size()));
    const AlignmentLinks made = parse_alignment(hypothesis);
    if (!made.all_sure()) {
      throw Error("an alignment to be scored must have links such as 0-0 only, found a possible one");
    }
    const AlignmentLinks gold = parse_alignment(references[0]);
    std::ranges::fill(statistics, 0);
    statistics[0] = static_cast<double>(made.sure.size());
    statistics[1] = static_cast<double>(gold.sure.size());
    for (const auto& link : made.sure) {
      statistics[2] += gold.sure.contains(link) ? 1 : 0;
      statistics[3] += gold.possible.contains(link) ? 1 : 0;
    }
  }
};

}  // namespace

AlignmentLinks parse_alignment(std::string_view line) {
  AlignmentLinks links;
  for (const std::string_view text : split_whitespace(line)) {
    const auto link = parse_link(text);
    if (!link) throw Error(fmt::format("expected links such as 0-0, 3?4 or 3p4, found `{}`", text));
    links.possible.insert(link->positions);
    if (link->sure) links.sure.insert(link->positions);
  }
  return links;
}

std::unique_ptr<Extractor> AlignmentErrorRate::extractor() const { return std::make_unique<LinkExtractor>(); }

double AlignmentErrorRate::value(const Sums& sums) const {
  const double links = sums[0] + sums[1];
  return links > 0 ? 100 * (1 - (sums[2] + sums[3]) / links) : 0;
}

std::string AlignmentErrorRate::verbose(std::span<const double> sums) const {
  const auto percent = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0; };
  return fmt::format("(precision = {:.1f} recall = {:.1f} links = {:.0f} sure = {:.0f})", percent(sums[3], sums[0]),
                     percent(sums[2], sums[1]), sums[0], sums[1]);
}

}  // namespace heed::metrics
