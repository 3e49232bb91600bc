// F1 of labelled spans, such as names in text, as the script conlleval of CoNLL-2000 and 2003 counts them (Tjong Kim
// Sang and De Meulder 2003, https://aclanthology.org/W03-0419).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// Tags [begin, end) of a line.
struct LabelledSpan {
  std::string_view type;
  size_t begin = 0;
  size_t end = 0;
  bool operator==(const LabelledSpan&) const = default;
};

/// The spans of tags in IOB1, IOB2 or IOBES: `O` is outside, `B-PER` begins a span of the type PER, `I-PER` is inside
/// one, `E-PER` ends one, `S-PER` is one by itself; the type may be missing. Every sequence has spans, as conlleval has
/// it, which knows no S, and seqeval in its default mode: a span goes on over two tags of one type, the first B or I
/// and the second I or E, and any other tag but O begins one. Throws Error at what is no such tag.
void find_spans(std::span<const std::string_view> tags, std::vector<LabelledSpan>& spans);

/// F1 of all spans together, in percent, as conlleval and seqeval 1.2.2 (in its default mode) give it; a span is right
/// if the reference has one with the same type, first and last tag. A line must have as many tags as its one reference:
/// Error. Statistics: spans that are right, spans of the line, spans of the reference.
class SpanF1 final : public Metric {
 public:
  std::string name() const override { return "span F1"; }
  size_t statistics_size() const override { return 3; }
  std::unique_ptr<Extractor> extractor() const override;
  /// 0 without spans.
  Score score(std::span<const double> sums) const override;
  double resampled_score(std::span<const float> sums) const override;

 protected:
  std::vector<SignatureEntry> signature_entries() const override { return {}; }
  std::string_view version() const override { return ""; }
};

}  // namespace heed::metrics
