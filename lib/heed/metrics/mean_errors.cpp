#include "heed/metrics/mean_errors.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heed/core/text/counted.h"
#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"

namespace heed::metrics {
namespace {

class DeviationExtractor : public Extractor {
 public:
  explicit DeviationExtractor(Deviation deviation) : deviation_(deviation) {}

  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    if (references.size() != 1) {
      throw Error(fmt::format("numbers are compared with one reference, found {}", references.size()));
    }
    read(references[0], gold_, " in the reference");
    read(hypothesis, found_, "");
    if (found_.size() != gold_.size()) {
      throw Error(fmt::format("expected {}, found {}", counted(std::ssize(gold_), "number"), found_.size()));
    }
    double sum = 0;
    for (size_t i = 0; i < gold_.size(); ++i) {
      const double difference = found_[i] - gold_[i];
      sum += deviation_ == Deviation::Squared ? difference * difference : std::abs(difference);
    }
    if (!std::isfinite(sum)) throw Error("the numbers differ by more than can be computed with");
    statistics[0] = sum;
    statistics[1] = static_cast<double>(gold_.size());
  }

 private:
  void read(std::string_view line, std::vector<double>& numbers, std::string_view where) {
    numbers.clear();
    split_whitespace(line, words_);
    for (const std::string_view word : words_) {
      const std::optional<double> number = parse_python_float(word);
      if (!number || !std::isfinite(*number)) {
        throw Error(fmt::format("expected finite numbers{}, found `{}`", where, word));
      }
      numbers.push_back(*number);
    }
  }

  Deviation deviation_;
  std::vector<std::string_view> words_;
  std::vector<double> found_;
  std::vector<double> gold_;
};

}  // namespace

std::unique_ptr<Extractor> MeanError::extractor() const { return std::make_unique<DeviationExtractor>(deviation_); }

double MeanError::value(const Sums& sums) const { return sums[1] > 0 ? sums[0] / sums[1] : 0; }
std::string MeanError::verbose(std::span<const double> sums) const {
  return fmt::format("(numbers = {:.0f})", sums[1]);
}

int MeanError::decimals(int asked) const { return std::max(asked, 4); }

}  // namespace heed::metrics
