// Translation edit rate (Snover et al. 2006, https://aclanthology.org/2006.amta-papers.25), identical to sacreBLEU
// 2.6.0: the same limits on shifts, beam and order of preference, which follow Tercom's.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"
#include "heed/metrics/tokenizers/ter_tokenizer.h"

namespace heed::metrics {

/// Edits are inserted, deleted and replaced words, and shifted runs of words. Statistics of a segment: the edits to the
/// reference that needs the fewest, and the mean length of the references. The score is 100 edits / length.
class Ter final : public Metric {
 public:
  explicit Ter(const TerOptions& options = {}) : options_(options) {}
  const TerOptions& options() const { return options_; }

  std::string name() const override { return "TER"; }
  size_t statistics_size() const override { return 2; }
  std::unique_ptr<Extractor> extractor() const override;
  double value(const Sums& sums) const override;

 protected:
  std::vector<SignatureEntry> signature_entries() const override;
  std::string_view version() const override { return kSacreBleuVersion; }

 private:
  class TerExtractor;

  TerOptions options_;
};

}  // namespace heed::metrics
