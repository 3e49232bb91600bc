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

Score Accuracy::score(std::span<const double> sums) const {
  return {.name = name(),
          .value = percent_of(sums[0], sums[1]),
          .verbose = fmt::format("(right = {:.0f} labels = {:.0f})", sums[0], sums[1])};
}

double Accuracy::resampled_score(std::span<const float> sums) const {
  return percent_of(static_cast<double>(sums[0]), static_cast<double>(sums[1]));
}

}  // namespace heed::metrics
