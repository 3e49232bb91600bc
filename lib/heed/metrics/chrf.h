// chrF (Popovic 2015, https://aclanthology.org/W15-3049), chrF+ and chrF++ (Popovic 2017,
// https://aclanthology.org/W17-4770), identical to sacreBLEU 2.6.0. chrF is an F-score of character n-grams. chrF+
// (word order 1) and chrF++ (word order 2) add word n-grams.
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
  bool whitespace = false;  ///< whether white space counts as characters
  /// true: average the F-scores of all orders; an order without n-grams counts as 1e-16 (as in chrF++.py). false: the
  /// F-score of the average precision and recall, over the orders for which both sides have n-grams.
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
/// Throws ConfigError if both orders are 0.
void validate(const ChrfOptions& options);

/// Statistics of a segment, per order (characters, then words): the n-grams of the hypothesis, those of the reference,
/// and the matches. They are for the reference with the best score; ties: the first one. If the reference has no
/// n-grams of an order, those of the hypothesis count as 0 too.
class Chrf final : public Metric {
 public:
  explicit Chrf(const ChrfOptions& options = {});
  const ChrfOptions& options() const { return options_; }

  /// "chrF2", "chrF2++": beta, and a plus per word order.
  std::string name() const override;
  size_t statistics_size() const override { return 3 * orders(); }
  std::unique_ptr<Extractor> extractor() const override;
  double value(const Sums& sums) const override;

 protected:
  std::vector<SignatureEntry> signature_entries() const override;
  std::string_view version() const override { return kSacreBleuVersion; }

 private:
  class ChrfExtractor;
  size_t orders() const { return static_cast<size_t>(options_.char_order + options_.word_order); }

  ChrfOptions options_;
};

}  // namespace heed::metrics
