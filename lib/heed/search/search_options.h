// The options of search: beam size, length penalty and limits of the length.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <variant>

#include "heed/core/options.h"

namespace heed::search {

/// score = log p / length^alpha, the length counting end-of-sentence (the form of fairseq, CTranslate2 and Marian).
/// With alpha 1 the score is the mean log-probability of a token.
struct PowerPenalty {
  static constexpr std::string_view kName = "power";
  static constexpr std::string_view kHelp = "log p over length^alpha";
  double alpha = 1;  ///< 0 or more; 0 ranks by log p
  double score(double log_probability, double length) const { return log_probability / std::pow(length, alpha); }
  bool operator==(const PowerPenalty&) const = default;
};
inline void describe(PowerPenalty& o, OptionVisitor& visit) {
  visit("length-alpha", o.alpha, "exponent of the length; more favors longer translations", at_least(0));
}

/// score = log p / ((5 + length) / 6)^alpha (Wu et al. 2016, https://arxiv.org/abs/1609.08144, equation 14; Vaswani et
/// al. 2017 use alpha 0.6).
struct GnmtPenalty {
  static constexpr std::string_view kName = "gnmt";
  static constexpr std::string_view kHelp = "log p over ((5 + length) / 6)^alpha";
  double alpha = 0.6;  ///< 0 or more; 0 ranks by log p
  double score(double log_probability, double length) const {
    return log_probability / std::pow((5 + length) / 6, alpha);
  }
  bool operator==(const GnmtPenalty&) const = default;
};
inline void describe(GnmtPenalty& o, OptionVisitor& visit) {
  visit("length-alpha", o.alpha, "exponent of (5 + length) / 6; more favors longer translations", at_least(0));
}

/// score = log p, which favors short translations.
struct NoPenalty {
  static constexpr std::string_view kName = "none";
  static constexpr std::string_view kHelp = "log p";
  double score(double log_probability, double) const { return log_probability; }
  bool operator==(const NoPenalty&) const = default;
};
inline void describe(NoPenalty&, OptionVisitor&) {}

using LengthPenalty = std::variant<PowerPenalty, GnmtPenalty, NoPenalty>;

/// Lengths count tokens without end-of-sentence, on both sides.
struct SearchOptions {
  int64_t beam = 5;                               ///< hypotheses kept at each step; 1 is greedy search
  LengthPenalty length_penalty = PowerPenalty{};  ///< how hypotheses of different length compare
  double max_length_factor = 2;      ///< at factor * source length + constant tokens end-of-sentence is forced
  int64_t max_length_constant = 10;  ///< see max_length_factor
  int64_t min_length = 1;            ///< shortest translation, if the model can make it; 0 allows empty ones
  bool unknown = false;              ///< whether the token for unknown words may be produced
  int64_t n_best = 1;                ///< translations kept a sentence; at most `beam`
  bool operator==(const SearchOptions&) const = default;
};
inline void describe(SearchOptions& o, OptionVisitor& visit) {
  visit("beam", o.beam, "beam size: hypotheses kept at each step; 1 is greedy search", between(1, 1000));
  visit.alternatives("length-penalty", o.length_penalty, "length penalty: what hypotheses are ranked by");
  visit("max-length-factor", o.max_length_factor,
        "longest translation: this many tokens for each source token, plus max-length-constant", between(0, 1e9));
  visit("max-length-constant", o.max_length_constant, "longest translation: tokens beside those of max-length-factor",
        between(1, 1e9));
  visit("min-length", o.min_length, "shortest translation, in tokens; 0 allows empty ones", between(0, 1e9));
  visit("unknown", o.unknown, "allow the token for unknown words in translations");
  visit("n-best", o.n_best, "size of the n-best list, at most `beam`; above 1 lines are LINE ||| TRANSLATION ||| SCORE",
        at_least(1));
}

/// Throws ConfigError when fields do not fit together.
void validate(const SearchOptions& options);

/// The longest translation of a source of `source_length` tokens; neither counts end-of-sentence.
int64_t max_length(const SearchOptions& options, int64_t source_length);

/// What hypotheses are ranked by. length: tokens of the hypothesis, end-of-sentence included, at least 1.
double normalized_score(double log_probability, int64_t length, const LengthPenalty& penalty);

}  // namespace heed::search
