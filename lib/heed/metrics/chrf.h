// chrF (Popovic 2015, https://aclanthology.org/W15-3049), chrF+ and chrF++ (Popovic 2017,
// https://aclanthology.org/W17-4770) exactly as sacreBLEU 2.6.0 computes them: an F-score of character n-grams, and of
// word n-grams besides with a word order of 1 (chrF+) or 2 (chrF++).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/core/options.h"
#include "heed/metrics/metric.h"

namespace heed::metrics {

struct ChrfOptions {
  int64_t char_order = 6;  ///< longest character n-gram
  int64_t word_order = 0;  ///< longest word n-gram; 2: chrF++
  int64_t beta = 2;        ///< weight of recall over precision
  bool lowercase = false;
  bool whitespace = false;  ///< white space counts as characters do
  /// Average the F-scores of all orders, an order without n-grams counting as 1e-16 (as chrF++.py); otherwise take the
  /// F-score of the average precision and recall, over the orders that hypothesis and reference have n-grams of.
  bool eps_smoothing = false;
  bool operator==(const ChrfOptions&) const = default;
};
void describe(ChrfOptions& o, AnyOptionVisitor auto& visit) {
  visit("char-order", o.char_order, "longest character n-gram", between(0, 100));
  visit("word-order", o.word_order, "longest word n-gram; 2: chrF++", between(0, 100));
  visit("beta", o.beta, "weight of recall over precision", between(0, 1000));
  visit("lowercase", o.lowercase, "ignore case");
  visit("whitespace", o.whitespace, "count white space among the characters");
  visit("eps-smoothing", o.eps_smoothing,
        "epsilon smoothing: average the F-scores of all orders, as chrF++.py, NLTK and Moses do");
}
/// Throws ConfigError when both orders are 0.
void validate(const ChrfOptions& options);

/// Statistics of a segment: for each order (characters, then words) the n-grams of the hypothesis, those of the
/// reference, and those that match; of the reference that gives the best score, the first of several. An order that the
/// reference has no n-gram of counts none of the hypothesis either.
class Chrf final : public Metric {
 public:
  explicit Chrf(const ChrfOptions& options = {});
  const ChrfOptions& options() const { return options_; }

  /// "chrF2", "chrF2++": beta, and a plus for each word order.
  std::string name() const override;
  size_t statistics_size() const override { return 3 * orders(); }
  std::unique_ptr<Extractor> extractor() const override;
  Score score(std::span<const double> sums) const override;
  double resampled_score(std::span<const float> sums) const override;

 protected:
  std::vector<SignatureEntry> signature_entries() const override;

 private:
  class ChrfExtractor;
  size_t orders() const { return static_cast<size_t>(options_.char_order + options_.word_order); }

  ChrfOptions options_;
};

}  // namespace heed::metrics
