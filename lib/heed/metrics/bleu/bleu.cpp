#include "heed/metrics/bleu/bleu.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/ngram_matches.h"

namespace heed::metrics {
namespace {

constexpr double kLogOfZero = -9999999999.0;

double brevity_penalty(double hypothesis, double reference) {
  if (hypothesis >= reference) return 1;
  return hypothesis > 0 ? std::exp(1 - reference / hypothesis) : 0;
}

/// The precision of one order, in percent. Exponential smoothing halves `share` at each order without a match.
struct Precision {
  double correct;
  double total;
  double& share;
  double operator()(const NoSmoothing&) const { return 100 * correct / total; }
  double operator()(const AddKSmoothing&) const { return 100 * correct / total; }
  double operator()(const FloorSmoothing& floor) const { return 100 * (correct == 0 ? floor.value : correct) / total; }
  double operator()(const ExpSmoothing&) const {
    if (correct > 0) return 100 * correct / total;
    share *= 2;
    return 100 / (share * total);
  }
};

/// Computes the precisions. Returns the number of orders to average over.
size_t fill_precisions(const BleuOptions& options, const Sums& sums, std::array<double, kBleuOrder>& precisions) {
  const auto* add_k = std::get_if<AddKSmoothing>(&options.smooth);
  double share = 1;
  for (size_t n = 0; n < kBleuOrder; ++n) {
    const double added = add_k != nullptr && n > 0 ? add_k->value : 0;
    const double total = sums.increased(2 + kBleuOrder + n, added);
    if (total == 0) return options.effective_order ? n : kBleuOrder;
    const Precision precision{sums.increased(2 + n, added), total, share};
    precisions[n] = std::visit(precision, options.smooth);
    // An infinite smoothing value gives NaN, whose sign Python does not print.
    if (std::isnan(precisions[n])) precisions[n] = std::numeric_limits<double>::quiet_NaN();
  }
  return kBleuOrder;
}

double log_of(double precision) {
  if (precision < 0) {  // as in Python's math.log, which sacreBLEU calls
    throw Error(fmt::format("the smoothing value of BLEU makes a precision negative, {:.4g}, which has no logarithm",
                            precision));
  }
  return precision == 0 ? kLogOfZero : std::log(precision);
}

BleuScore score_of(const BleuOptions& options, const Sums& sums) {
  BleuScore result;
  result.hypothesis_length = static_cast<int64_t>(sums[0]);
  result.reference_length = static_cast<int64_t>(sums[1]);
  const auto hypothesis = static_cast<double>(result.hypothesis_length);
  const auto reference = static_cast<double>(result.reference_length);
  result.brevity_penalty = brevity_penalty(hypothesis, reference);
  if (reference > 0) result.ratio = hypothesis / reference;
  // Without any match the score is 0, whatever the smoothing.
  if (std::ranges::all_of(sums.values().subspan(2, kBleuOrder), [](double matches) { return matches == 0; })) {
    return result;
  }
  const size_t orders = fill_precisions(options, sums, result.precisions);
  double sum = 0;
  for (size_t n = 0; n < orders; ++n) sum += log_of(result.precisions[n]);
  result.value = result.brevity_penalty * std::exp(sum / static_cast<double>(orders));
  return result;
}

std::string smoothing_name(const BleuOptions& options) {
  return std::visit(
      [](const auto& smoothing) {
        if constexpr (requires { smoothing.value; })
          return fmt::format("{}[{:.2f}]", smoothing.kName, smoothing.value);
        else
          return std::string(smoothing.kName);
      },
      options.smooth);
}

}  // namespace

std::string BleuScore::verbose() const {
  return fmt::format("{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})",
                     precisions[0], precisions[1], precisions[2], precisions[3], brevity_penalty, ratio,
                     hypothesis_length, reference_length);
}

class Bleu::BleuExtractor : public Extractor {
 public:
  explicit BleuExtractor(const Bleu& bleu) : bleu_(bleu) {}

  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    texts_.resize(references.size() + 1);
    tokens_.resize(references.size() + 1);
    for (size_t i = 0; i < tokens_.size(); ++i) tokenize(i, i == 0 ? hypothesis : references[i - 1]);
    const auto others = std::span(tokens_).subspan(1);
    const auto length = static_cast<int64_t>(tokens_[0].size());
    const int64_t any = std::numeric_limits<int64_t>::max();
    write_bleu_statistics(matcher_, tokens_[0], others, closest_length(length, others, any), statistics);
  }

 private:
  void tokenize(size_t i, std::string_view line) {
    if (bleu_.options_.lowercase) {
      lowered_ = lower(line);
      line = lowered_;
    }
    bleu_.tokenizer_->tokenize(strip_right(line), texts_[i], scratch_);
    split_whitespace(texts_[i], tokens_[i]);
  }

  const Bleu& bleu_;
  NgramMatcher matcher_;
  std::string lowered_;
  std::string scratch_;
  std::vector<std::string> texts_;  // tokens_ points into these: the hypothesis, then the references
  std::vector<Tokens> tokens_;
};

Bleu::Bleu(const BleuOptions& options)
    : options_(options), tokenizer_(make_tokenizer(options.tokenize, options.tokenizer_model)) {}
Bleu::~Bleu() = default;

std::unique_ptr<Extractor> Bleu::extractor() const { return std::make_unique<BleuExtractor>(*this); }

BleuScore Bleu::details(std::span<const double> sums) const { return score_of(options_, sums); }

double Bleu::value(const Sums& sums) const { return score_of(options_, sums).value; }
std::string Bleu::verbose(std::span<const double> sums) const { return details(sums).verbose(); }

std::vector<SignatureEntry> Bleu::signature_entries() const {
  return {{"case", "c", options_.lowercase ? "lc" : "mixed"},
          {"eff", "e", options_.effective_order ? "yes" : "no"},
          {"tok", "tok", tokenizer_->name()},
          {"smooth", "s", smoothing_name(options_)}};
}

}  // namespace heed::metrics
