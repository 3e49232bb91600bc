#include "heed/metrics/chrf.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/ngram_matches.h"

namespace heed::metrics {
namespace {

constexpr double kEpsilon = 1e-16;

/// `counts`: hypothesis, reference and match for each order.
double f_score(const ChrfOptions& options, const Sums& counts) {
  const double beta = static_cast<double>(options.beta), factor = beta * beta;
  double sum = 0;
  double precision_sum = 0;
  double recall_sum = 0;
  int effective_orders = 0;
  const size_t size = counts.values().size();
  for (size_t i = 0; i < size; i += 3) {
    const double precision = counts[i] > 0 ? counts.quotient(i + 2, i) : kEpsilon;
    const double recall = counts[i + 1] > 0 ? counts.quotient(i + 2, i + 1) : kEpsilon;
    const double denominator = factor * precision + recall;
    sum += denominator > 0 ? (1 + factor) * precision * recall / denominator : kEpsilon;
    if (counts[i] > 0 && counts[i + 1] > 0) {
      precision_sum += precision;
      recall_sum += recall;
      ++effective_orders;
    }
  }
  if (options.eps_smoothing) return 100 * sum / (static_cast<double>(size) / 3);
  if (effective_orders == 0) return 0;
  const double precision = precision_sum / effective_orders;
  const double recall = recall_sum / effective_orders;
  if (precision + recall == 0) return 0;
  return 100 * ((1 + factor) * precision * recall / (factor * precision + recall));
}

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/// The words of a text. One punctuation character is split off from each word: the last character, or else the first.
void split_words(std::string_view text, Tokens& words) {
  words.clear();
  for (const std::string_view word : split_whitespace(text)) {
    const bool alone = is_character(word);
    if (!alone && is_ascii_punctuation(word.back())) {
      words.push_back(word.substr(0, word.size() - 1));
      words.push_back(word.substr(word.size() - 1));
    } else if (!alone && is_ascii_punctuation(word.front())) {
      words.push_back(word.substr(0, 1));
      words.push_back(word.substr(1));
    } else {
      words.push_back(word);
    }
  }
}

}  // namespace

void validate(const ChrfOptions& options) {
  if (options.char_order + options.word_order > 0) return;
  throw ConfigError("char-order", "and `word-order` must not both be 0");
}

class Chrf::ChrfExtractor : public Extractor {
 public:
  explicit ChrfExtractor(const ChrfOptions& options)
      : options_(options), matches_(static_cast<size_t>(std::max(options.char_order, options.word_order))) {}

  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    read(hypothesis, hypothesis_);
    double best = -1;
    counts_.resize(statistics.size());
    for (const std::string_view reference : references) {
      read(reference, reference_);
      count();
      const double score = f_score(options_, {counts_});
      if (score <= best) continue;
      best = score;
      std::ranges::copy(counts_, statistics.begin());
    }
  }

 private:
  struct Text {
    std::string lowered;  // words points into it
    std::u32string characters;
    Tokens words;
  };

  void read(std::string_view line, Text& text) const {
    if (options_.lowercase) {
      text.lowered = lower(line);
      line = text.lowered;
    }
    to_code_points(line, text.characters);
    if (!options_.whitespace) std::erase_if(text.characters, is_space);
    if (options_.word_order > 0) split_words(line, text.words);
  }

  void count() {
    const auto char_orders = static_cast<size_t>(options_.char_order);
    const auto word_orders = static_cast<size_t>(options_.word_order);
    matcher_.count(hypothesis_.characters, reference_.characters, std::span(matches_).first(char_orders));
    write(hypothesis_.characters.size(), reference_.characters.size(), char_orders, counts_.data());
    if (word_orders == 0) return;
    matcher_.count(hypothesis_.words, std::span(&reference_.words, 1), std::span(matches_).first(word_orders));
    write(hypothesis_.words.size(), reference_.words.size(), word_orders, counts_.data() + 3 * char_orders);
  }

  void write(size_t hypothesis_size, size_t reference_size, size_t orders, double* counts) const {
    for (size_t n = 0; n < orders; ++n) {
      const size_t hypothesis_ngrams = hypothesis_size > n ? hypothesis_size - n : 0;
      const size_t reference_ngrams = reference_size > n ? reference_size - n : 0;
      *counts++ = reference_ngrams > 0 ? static_cast<double>(hypothesis_ngrams) : 0;
      *counts++ = static_cast<double>(reference_ngrams);
      *counts++ = static_cast<double>(matches_[n]);
    }
  }

  const ChrfOptions& options_;
  NgramMatcher matcher_;
  Text hypothesis_;
  Text reference_;
  std::vector<int64_t> matches_;
  std::vector<double> counts_;
};

Chrf::Chrf(const ChrfOptions& options) : options_(options) { validate(options_); }

std::string Chrf::name() const {
  return fmt::format("chrF{}{}", options_.beta, std::string(static_cast<size_t>(options_.word_order), '+'));
}

std::unique_ptr<Extractor> Chrf::extractor() const { return std::make_unique<ChrfExtractor>(options_); }

double Chrf::value(const Sums& sums) const { return f_score(options_, sums); }

std::vector<SignatureEntry> Chrf::signature_entries() const {
  return {{"case", "c", options_.lowercase ? "lc" : "mixed"},
          {"eff", "e", options_.eps_smoothing ? "no" : "yes"},
          {"nc", "nc", fmt::format("{}", options_.char_order)},
          {"nw", "nw", fmt::format("{}", options_.word_order)},
          {"space", "s", options_.whitespace ? "yes" : "no"}};
}

}  // namespace heed::metrics
