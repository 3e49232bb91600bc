// F1 of labeled spans, such as named entities, as in the script conlleval of CoNLL-2000 and 2003 (Tjong Kim Sang and De
// Meulder 2003, https://aclanthology.org/W03-0419).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// The tags [begin, end) of a line.
struct LabelledSpan {
  std::string_view type;
  size_t begin = 0;
  size_t end = 0;
  bool operator==(const LabelledSpan&) const = default;
};

/// Finds the spans of tags in IOB1, IOB2 or IOBES. `O` is outside, `B-PER` begins a span of type PER, `I-PER` is inside
/// one, `E-PER` ends one, and `S-PER` is one by itself. The type may be missing.
/// Any sequence of tags is valid, as in conlleval (which does not know S) and in seqeval's default mode. A span
/// continues from B or I to I or E of the same type. Any other tag except O begins a span. Throws Error if a tag has
/// another form.
void find_spans(std::span<const std::string_view> tags, std::vector<LabelledSpan>& spans);

/// F1 of all spans together, in percent, identical to conlleval and to seqeval 1.2.2 in its default mode. A span is
/// correct if the reference has one with the same type, first and last tag. Throws Error if a line does not have one
/// reference with the same number of tags. Statistics: correct spans, spans of the line, spans of the reference.
class SpanF1 final : public Metric {
 public:
  std::string name() const override { return "span F1"; }
  size_t statistics_size() const override { return 3; }
  std::unique_ptr<Extractor> extractor() const override;
  /// 0 without spans.
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;
};

}  // namespace heed::metrics
