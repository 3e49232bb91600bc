// Alignment error rate (Och and Ney 2003, https://aclanthology.org/J03-1002, section 6) of word alignments in the
// Pharaoh format: a line of links such as `0-0 1-2`. Positions of source and target words count from 0.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// The links of a line, (source, target). In gold alignments `3?4` and `3p4` are possible links; all others are sure.
/// Sure links are possible too.
struct AlignmentLinks {
  std::set<std::pair<int64_t, int64_t>> sure;
  std::set<std::pair<int64_t, int64_t>> possible;
  bool all_sure() const { return possible.size() == sure.size(); }
};
/// Throws Error if the text has something that is not a link.
AlignmentLinks parse_alignment(std::string_view line);

/// AER = 1 - (|A & S| + |A & P|) / (|A| + |S|) for hypothesis links A, sure S and possible P, times 100; lower is
/// better. Precision is |A & P| / |A|, recall |A & S| / |S|. Statistics: |A|, |S|, |A & S|, |A & P|. Throws Error if a
/// hypothesis has links that are not sure, or there is more than one reference.
class AlignmentErrorRate final : public Metric {
 public:
  std::string name() const override { return "AER"; }
  size_t statistics_size() const override { return 4; }
  std::unique_ptr<Extractor> extractor() const override;
  /// 0 without links.
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;
};

}  // namespace heed::metrics
