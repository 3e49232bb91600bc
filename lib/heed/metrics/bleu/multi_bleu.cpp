#include "heed/metrics/bleu/multi_bleu.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "heed/metrics/bleu/bleu_statistics.h"

namespace heed::metrics {
namespace {

constexpr int64_t kFarthest = 9999;  // the script's length if no reference is closer
constexpr double kScriptsLogOfZero = -9999999999.0;
constexpr std::string_view kSpaces = " \t\n\v\f\r";
constexpr std::string_view kNoReference = "0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)";

void split(std::string_view text, Tokens& words) {
  words.clear();
  for (size_t begin = text.find_first_not_of(kSpaces); begin != text.npos;) {
    const size_t end = std::min(text.find_first_of(kSpaces, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kSpaces, end);
  }
}

class MosesExtractor : public Extractor {
 public:
  explicit MosesExtractor(bool lowercase) : lowercase_(lowercase) {}

  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    texts_.resize(references.size() + 1);
    words_.resize(references.size() + 1);
    for (size_t i = 0; i < words_.size(); ++i) read(i, i == 0 ? hypothesis : references[i - 1]);
    const auto others = std::span(words_).subspan(1);
    const auto length = static_cast<int64_t>(words_[0].size());
    write_bleu_statistics(matcher_, words_[0], others, closest_length(length, others, kFarthest), statistics);
  }

 private:
  void read(size_t i, std::string_view line) {
    texts_[i] = line;
    if (lowercase_) {
      for (char& c : texts_[i]) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
    split(texts_[i], words_[i]);
  }

  bool lowercase_;
  NgramMatcher matcher_;
  std::vector<std::string> texts_;  // words_ points into these: the hypothesis, then the references
  std::vector<Tokens> words_;
};

/// The script's numbers. There must be a token in the references.
struct Components {
  explicit Components(std::span<const double> sums) {
    for (size_t n = 0; n < kBleuOrder; ++n) {
      if (sums[2 + kBleuOrder + n] > 0) precisions[n] = sums[2 + n] / sums[2 + kBleuOrder + n];
    }
    const double hypothesis = sums[0], reference = sums[1];
    if (hypothesis < reference) penalty = hypothesis > 0 ? std::exp(1 - reference / hypothesis) : 0;
  }
  std::array<double, kBleuOrder> precisions{};
  double penalty = 1;
};

}  // namespace

size_t MultiBleu::statistics_size() const { return kBleuStatistics; }

std::unique_ptr<Extractor> MultiBleu::extractor() const { return std::make_unique<MosesExtractor>(options_.lowercase); }

double MultiBleu::value(const Sums& sums) const {
  if (sums[1] == 0) return 0;
  const Components bleu(sums.values());
  double logs = 0;
  for (const double precision : bleu.precisions) logs += precision > 0 ? std::log(precision) : kScriptsLogOfZero;
  return 100 * (bleu.penalty * std::exp(logs / 4));
}

std::string MultiBleu::verbose(std::span<const double> sums) const {
  const double hypothesis = sums[0], reference = sums[1];
  if (reference == 0) return std::string(kNoReference);
  const Components bleu(sums);
  return fmt::format("{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP={:.3f}, ratio={:.3f}, hyp_len={:.0f}, ref_len={:.0f})",
                     100 * bleu.precisions[0], 100 * bleu.precisions[1], 100 * bleu.precisions[2],
                     100 * bleu.precisions[3], bleu.penalty, hypothesis / reference, hypothesis, reference);
}

std::string MultiBleu::line(const Score& score, std::string_view, int) const {
  if (score.verbose == kNoReference) return fmt::format("BLEU = 0, {}", score.verbose);
  return fmt::format("BLEU = {:.2f}, {}", score.value, score.verbose);
}

std::vector<SignatureEntry> MultiBleu::signature_entries() const {
  return {{"case", "c", options_.lowercase ? "lc" : "mixed"}, {"tok", "tok", "none"}, {"smooth", "s", "none"}};
}

}  // namespace heed::metrics
