// BLEU (Papineni et al. 2002, https://aclanthology.org/P02-1040), identical to sacreBLEU 2.6.0 (Post 2018,
// https://arxiv.org/abs/1804.08771): the same score to the last digit, and the same signature.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heed/core/options.h"
#include "heed/metrics/bleu/bleu_statistics.h"
#include "heed/metrics/metric.h"
#include "heed/metrics/tokenizers/tokenizers.h"

namespace heed::metrics {

/// An order without a match has precision 0.
struct NoSmoothing {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoSmoothing&) const = default;
};
void describe(NoSmoothing&, AnyOptionVisitor auto&) {}

/// An order without a match counts as `value` matches.
struct FloorSmoothing {
  static constexpr std::string_view kName = "floor";
  double value = 0.1;
  bool operator==(const FloorSmoothing&) const = default;
};
void describe(FloorSmoothing& o, AnyOptionVisitor auto& visit) {
  visit("smooth-value", o.value, "matches that an n-gram order without any counts as", at_least(0));
}

/// Adds `value` to the matches and totals of every order above 1 (Lin and Och 2004).
struct AddKSmoothing {
  static constexpr std::string_view kName = "add-k";
  double value = 1;
  bool operator==(const AddKSmoothing&) const = default;
};
void describe(AddKSmoothing& o, AnyOptionVisitor auto& visit) {
  visit("smooth-value", o.value, "added to the matches and totals of every order above 1", at_least(0));
}

/// The k-th order without a match counts as 2^-k matches, as in NIST's script.
struct ExpSmoothing {
  static constexpr std::string_view kName = "exp";
  bool operator==(const ExpSmoothing&) const = default;
};
void describe(ExpSmoothing&, AnyOptionVisitor auto&) {}

struct BleuOptions {
  BleuTokenizer tokenize = BleuTokenizer::V13a;
  std::optional<std::string> tokenizer_model = {};  ///< SentencePiece model, or folder of a MeCab dictionary
  bool lowercase = false;
  std::variant<ExpSmoothing, FloorSmoothing, AddKSmoothing, NoSmoothing> smooth{};
  /// Average only over the orders of which the hypothesis has n-grams. Off for a corpus, on for single sentences.
  bool effective_order = false;
  bool operator==(const BleuOptions&) const = default;
};
void describe(BleuOptions& o, AnyOptionVisitor auto& visit) {
  visit("tokenize", o.tokenize, "tokenizer of hypothesis and references");
  visit("tokenizer-model", o.tokenizer_model,
        "SentencePiece model of spm, flores101, flores200 or spBLEU-1K, or folder "
        "of the dictionary of ja-mecab or ko-mecab (none: the installed one)");
  visit("lowercase", o.lowercase, "ignore case");
  visit.alternatives("smooth", o.smooth, "smoothing of n-gram precisions that would be 0");
}

struct BleuScore {
  double value = 0;                             ///< 0 to 100
  std::array<double, kBleuOrder> precisions{};  ///< 0 to 100, smoothed
  double brevity_penalty = 0;                   ///< 0 to 1
  double ratio = 0;                             ///< hypothesis length / reference length; 0 without reference tokens
  int64_t hypothesis_length = 0;                ///< tokens
  int64_t reference_length = 0;                 ///< tokens of the references closest in length; ties: the shorter one
  /// "82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)"
  std::string verbose() const;
};

/// The statistics of a segment are those of bleu_statistics.h. White space at the ends of lines has no effect.
class Bleu final : public Metric {
 public:
  explicit Bleu(const BleuOptions& options = {});
  ~Bleu() override;
  const BleuOptions& options() const { return options_; }

  std::string name() const override { return "BLEU"; }
  size_t statistics_size() const override { return kBleuStatistics; }
  std::unique_ptr<Extractor> extractor() const override;
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;
  /// The score with its components.
  BleuScore details(std::span<const double> sums) const;

 protected:
  std::vector<SignatureEntry> signature_entries() const override;
  std::string_view version() const override { return kSacreBleuVersion; }

 private:
  class BleuExtractor;

  BleuOptions options_;
  std::unique_ptr<const TextTokenizer> tokenizer_;
};

}  // namespace heed::metrics
