#include "heed/metrics/labels/accuracy.h"

#include <fmt/format.h>

#include "heed/metrics/labels/label_pair.h"
#include "heed/metrics/labels/matches.h"

namespace heed::metrics {
namespace {

class AccuracyOfLabels : public Extractor {
 public:
  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    labels_.read(hypothesis, references);
    int64_t right = 0;
    for (size_t i = 0; i < labels_.size(); ++i) right += labels_.found()[i] == labels_.gold()[i] ? 1 : 0;
    statistics[0] = static_cast<double>(right);
    statistics[1] = static_cast<double>(labels_.size());
  }

 private:
  LabelPair labels_;
};

}  // namespace

std::unique_ptr<Extractor> Accuracy::extractor() const { return std::make_unique<AccuracyOfLabels>(); }

double Accuracy::value(const Sums& sums) const { return percent_of(sums[0], sums[1]); }

std::string Accuracy::verbose(std::span<const double> sums) const {
  return fmt::format("(right = {:.0f} labels = {:.0f})", sums[0], sums[1]);
}

}  // namespace heed::metrics
