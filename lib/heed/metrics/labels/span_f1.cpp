#include "heed/metrics/labels/span_f1.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/metrics/labels/label_pair.h"
#include "heed/metrics/labels/matches.h"

namespace heed::metrics {
namespace {

struct Tag {
  char place = 'O';  // one of O B I E S
  std::string_view type;
};

Tag parse_tag(std::string_view text) {
  const std::string_view places = text == "O" ? "O" : "BIES";
  const bool is_tag = places.find(text[0]) != std::string_view::npos && (text.size() == 1 || text[1] == '-');
  if (!is_tag) throw Error(fmt::format("expected tags such as O, B-PER, I-PER, E-PER and S-PER, found `{}`", text));
  return {.place = text[0], .type = text.substr(std::min<size_t>(text.size(), 2))};
}

bool goes_on(const Tag& tag, const Tag& next) {
  return (tag.place == 'B' || tag.place == 'I') && (next.place == 'I' || next.place == 'E') && tag.type == next.type;
}

/// The number of spans in both lists, which are sorted by position.
int64_t count_common(std::span<const LabelledSpan> a, std::span<const LabelledSpan> b) {
  int64_t common = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    common += a[i] == b[j] ? 1 : 0;
    const auto order = a[i].begin <=> b[j].begin;
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  return common;
}

class SpanExtractor : public Extractor {
 public:
  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    tags_.read(hypothesis, references);
    find_spans(tags_.found(), found_);
    find_spans(tags_.gold(), gold_);
    statistics[0] = static_cast<double>(count_common(found_, gold_));
    statistics[1] = static_cast<double>(found_.size());
    statistics[2] = static_cast<double>(gold_.size());
  }

 private:
  LabelPair tags_;
  std::vector<LabelledSpan> found_;
  std::vector<LabelledSpan> gold_;
};

Matches matches_of(std::span<const double> sums) { return {.right = sums[0], .found = sums[1], .gold = sums[2]}; }

}  // namespace

void find_spans(std::span<const std::string_view> tags, std::vector<LabelledSpan>& spans) {
  spans.clear();
  Tag last;
  for (size_t i = 0; i < tags.size(); ++i) {
    const Tag tag = parse_tag(tags[i]);
    if (goes_on(last, tag))
      spans.back().end = i + 1;
    else if (tag.place != 'O')
      spans.push_back({.type = tag.type, .begin = i, .end = i + 1});
    last = tag;
  }
}

std::unique_ptr<Extractor> SpanF1::extractor() const { return std::make_unique<SpanExtractor>(); }

double SpanF1::value(const Sums& sums) const { return matches_of(sums.values()).f1(); }

std::string SpanF1::verbose(std::span<const double> sums) const {
  const Matches matches = matches_of(sums);
  return fmt::format("(precision = {:.1f} recall = {:.1f} right = {:.0f} found = {:.0f} gold = {:.0f})",
                     matches.precision(), matches.recall(), sums[0], sums[1], sums[2]);
}

}  // namespace heed::metrics
