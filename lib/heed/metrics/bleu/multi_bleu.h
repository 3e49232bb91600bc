// BLEU of tokenized text, as in Moses' multi-bleu.perl (Koehn et al. 2007, https://aclanthology.org/P07-2045). Many
// papers before sacreBLEU report this score. Scores are comparable only if the tokenization is the same.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/core/options.h"
#include "heed/metrics/metric.h"

namespace heed::metrics {

struct MosesBleuOptions {
  bool lowercase = false;  ///< only the letters A to Z, like the script's -lc
  bool operator==(const MosesBleuOptions&) const = default;
};
void describe(MosesBleuOptions& o, AnyOptionVisitor auto& visit) {
  visit("lowercase", o.lowercase, "ignore the case of A to Z");
}

/// Words are separated by ASCII white space. There is no smoothing. The statistics are those of Bleu. If all hypotheses
/// are empty, the score is 0; the script ends with an error.
class MultiBleu final : public Metric {
 public:
  explicit MultiBleu(const MosesBleuOptions& options = {}) : options_(options) {}

  std::string name() const override { return "multi-bleu"; }
  size_t statistics_size() const override;
  std::unique_ptr<Extractor> extractor() const override;
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;
  /// As in the script: "BLEU = 26.58, 58.9/32.4/20.8/13.9 (BP=0.987, ratio=0.987, hyp_len=1029, ref_len=1043)".
  std::string line(const Score& score, std::string_view signature, int width) const override;

 protected:
  std::vector<SignatureEntry> signature_entries() const override;

 private:
  MosesBleuOptions options_;
};

}  // namespace heed::metrics
