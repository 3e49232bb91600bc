#include "heed/metrics/token_metrics.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heed/core/text/unicode.h"

namespace heed::metrics {
namespace {

using Words = std::vector<std::string_view>;

class LengthExtractor : public Extractor {
 public:
  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    const double length = count(hypothesis);
    double closest = count(references[0]);
    for (const std::string_view reference : references.subspan(1)) {
      const double other = count(reference);
      const double difference = std::abs(other - length);
      const double least = std::abs(closest - length);
      if (difference < least || (difference == least && other < closest)) closest = other;
    }
    statistics[0] = length;
    statistics[1] = closest;
  }

 private:
  double count(std::string_view line) {
    split_whitespace(line, words_);
    return static_cast<double>(words_.size());
  }
  Words words_;
};

class AccuracyExtractor : public Extractor {
 public:
  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    split_whitespace(hypothesis, hypothesis_);
    int64_t most = 0;
    for (const std::string_view reference : references) {
      split_whitespace(reference, reference_);
      const size_t both = std::min(hypothesis_.size(), reference_.size());
      int64_t right = 0;
      for (size_t i = 0; i < both; ++i) right += hypothesis_[i] == reference_[i] ? 1 : 0;
      most = std::max(most, right);
    }
    statistics[0] = static_cast<double>(most);
    statistics[1] = static_cast<double>(hypothesis_.size());
  }

 private:
  Words hypothesis_;
  Words reference_;
};

double quotient(const Sums& sums) { return sums[1] > 0 ? sums[0] / sums[1] : 0; }

}  // namespace

std::unique_ptr<Extractor> LengthRatio::extractor() const { return std::make_unique<LengthExtractor>(); }

double LengthRatio::value(const Sums& sums) const { return quotient(sums); }
std::string LengthRatio::verbose(std::span<const double> sums) const {
  return fmt::format("(hyp_len = {:.0f} ref_len = {:.0f})", sums[0], sums[1]);
}

int LengthRatio::decimals(int asked) const { return std::max(asked, 3); }

std::unique_ptr<Extractor> TokenAccuracy::extractor() const { return std::make_unique<AccuracyExtractor>(); }

double TokenAccuracy::value(const Sums& sums) const { return 100 * quotient(sums); }
std::string TokenAccuracy::verbose(std::span<const double> sums) const {
  return fmt::format("(right = {:.0f} tokens = {:.0f})", sums[0], sums[1]);
}

}  // namespace heed::metrics
