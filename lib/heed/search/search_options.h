// The options of search: beam size, length penalty, length limits, sampling.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <variant>

#include "heed/core/options.h"
#include "heed/search/drawing.h"

namespace heed::search {

/// score = log p / length^alpha; the length includes end-of-sentence (as in fairseq, CTranslate2 and Marian). With
/// alpha 1 the score is the mean log-probability of a token.
struct PowerPenalty {
  static constexpr std::string_view kName = "power";
  static constexpr std::string_view kHelp = "log p over length^alpha";
  double alpha = 1;  ///< 0 or more; 0 ranks by log p
  double score(double log_probability, double length) const { return log_probability / std::pow(length, alpha); }
  bool operator==(const PowerPenalty&) const = default;
};
void describe(PowerPenalty& o, AnyOptionVisitor auto& visit) {
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
void describe(GnmtPenalty& o, AnyOptionVisitor auto& visit) {
  visit("length-alpha", o.alpha, "exponent of (5 + length) / 6; more favors longer translations", at_least(0));
}

/// score = log p, which favors short translations.
struct NoPenalty {
  static constexpr std::string_view kName = "none";
  static constexpr std::string_view kHelp = "log p";
  double score(double log_probability, double) const { return log_probability; }
  bool operator==(const NoPenalty&) const = default;
};
void describe(NoPenalty&, AnyOptionVisitor auto&) {}

using LengthPenalty = std::variant<PowerPenalty, GnmtPenalty, NoPenalty>;

/// The search ends when beam * patience hypotheses are finished, rounded (Kasai et al. 2022,
/// https://arxiv.org/abs/2204.05424). EarlyStopping 1 is fairseq's rule.
struct StopAtCount {
  static constexpr std::string_view kName = "count";
  static constexpr std::string_view kHelp = "when beam * patience hypotheses are finished";
  double patience = 1;
  bool operator==(const StopAtCount&) const = default;
};
void describe(StopAtCount& o, AnyOptionVisitor auto& visit) {
  visit("patience", o.patience, "finished hypotheses that end a search, as a multiple of the beam",
        between(0.001, 1000));
}

/// The search ends when no open hypothesis can become better than the n-best finished ones. The bound assumes
/// probability 1 for each further token.
struct StopAtBest {
  static constexpr std::string_view kName = "best";
  static constexpr std::string_view kHelp = "when no open hypothesis can become better than those finished";
  bool operator==(const StopAtBest&) const = default;
};
void describe(StopAtBest&, AnyOptionVisitor auto&) {}

using StopRule = std::variant<StopAtCount, StopAtBest>;

/// Beam search: keeps the `beam` best hypotheses at each step.
struct BeamMethod {
  static constexpr std::string_view kName = "beam";
  static constexpr std::string_view kHelp = "beam search";
  bool operator==(const BeamMethod&) const = default;
};
void describe(BeamMethod&, AnyOptionVisitor auto&) {}

/// Sampling: `n_best` translations, each token sampled from the model's distribution.
struct SampleMethod {
  static constexpr std::string_view kName = "sample";
  static constexpr std::string_view kHelp = "sampling, each of `n-best` translations for itself";
  DrawOptions draw = {};
  int64_t seed = 1;  ///< the samples depend only on the seed, the line's index and the sample's number
  bool operator==(const SampleMethod&) const = default;
};
void describe(SampleMethod& o, AnyOptionVisitor auto& visit) {
  describe(o.draw, visit);
  visit("seed", o.seed, "seed of the sampling", at_least(0));
}

using SearchMethod = std::variant<BeamMethod, SampleMethod>;

/// All lengths of sources and translations are in tokens, without end-of-sentence.
struct SearchOptions {
  SearchMethod method = BeamMethod{};
  int64_t beam = 5;                               ///< hypotheses kept at each step; 1 is greedy search
  LengthPenalty length_penalty = PowerPenalty{};  ///< how hypotheses of different lengths are compared
  double max_length_factor = 2;      ///< end-of-sentence is forced at factor * source length + max_length_constant
                                     ///< tokens
  int64_t max_length_constant = 10;  ///< see max_length_factor
  int64_t min_length = 1;            ///< shortest translation, if the model's own limit allows it; 0 allows empty ones
  bool unknown = false;              ///< whether the token for unknown words may be produced
  int64_t n_best = 1;                ///< translations per sentence: at most `beam`, or the number of samples
  double word_reward = 0;            ///< added to log p for each token, end-of-sentence included, before the length
                           ///< penalty (He et al. 2016, Improved Neural Machine Translation with SMT Features)
  double coverage_penalty = 0;    ///< weight of the coverage penalty: see coverage.h
  int64_t no_repeat_ngram = 0;    ///< the size of the shortest n-gram that must not repeat; 0: off
  double repetition_penalty = 1;  ///< factor of the log-probability of a token that the hypothesis already has, for
                                  ///< ranking only (based on Keskar et al. 2019, https://arxiv.org/abs/1909.05858)
  StopRule stop = StopAtCount{};  ///< when the search of a sentence ends
  int64_t groups = 1;             ///< diverse beam search: groups that share the beam evenly; see candidates.h
  double diversity = 0.5;         ///< diversity penalty: subtracted from a token's log-probability for each hypothesis
                                  ///< of an earlier group that takes the token in this step
  bool operator==(const SearchOptions&) const = default;
};
void describe(SearchOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("method", o.method, "how translations are found");
  visit("beam", o.beam, "beam size: hypotheses kept at each step; 1 is greedy search", between(1, 1000));
  visit.alternatives("length-penalty", o.length_penalty, "length penalty: what hypotheses are ranked by");
  visit("max-length-factor", o.max_length_factor,
        "longest translation: this many tokens for each source token, plus max-length-constant; never above 100,000",
        between(0, 1e9));
  visit("max-length-constant", o.max_length_constant, "longest translation: tokens beside those of max-length-factor",
        between(1, 1e9));
  visit("min-length", o.min_length, "shortest translation, in tokens; 0 allows empty ones", between(0, 1e9));
  visit("unknown", o.unknown, "allow the token for unknown words in translations");
  visit(
      "n-best", o.n_best,
      "size of the n-best list, at most `beam`, or number of samples; above 1 lines are LINE ||| TRANSLATION ||| SCORE",
      at_least(1));
  visit("word-reward", o.word_reward,
        "added to log p for each token, before the length penalty: above 0 favors longer translations",
        between(-100, 100));
  visit("coverage-penalty", o.coverage_penalty,
        "weight of the coverage penalty: hypotheses lose where source tokens get little attention", at_least(0));
  visit("no-repeat-ngram", o.no_repeat_ngram, "never repeat an n-gram of this many tokens in a translation; 0: off",
        between(0, 1000));
  visit("repetition-penalty", o.repetition_penalty,
        "factor of the log-probability of a token that a translation has already; above 1 it comes less often",
        between(1, 100));
  visit.alternatives("stop", o.stop, "when the search of a sentence ends");
  visit("groups", o.groups, "diverse beam search: groups of the beam; each avoids the tokens that earlier groups take",
        at_least(1));
  visit("diversity", o.diversity,
        "diversity penalty of groups: a token's log-probability loses this for each hypothesis of an earlier group "
        "that takes it",
        at_least(0));
}

/// Throws ConfigError if fields contradict each other.
void validate(const SearchOptions& options);

/// Options that let beam search do the sampling: each sample is a group of one hypothesis. Other methods are unchanged.
SearchOptions as_groups(SearchOptions options);

/// The number of hypotheses of a group.
inline int64_t group_size(const SearchOptions& options) { return options.beam / options.groups; }

/// The upper limit of a translation's length, whatever the options. Without it, a model that has no limit and repeats
/// itself would never end. fairseq's recurrent decoders have the same limit.
inline constexpr int64_t kLongestTranslation = 100'000;

/// The maximum translation length for a source of `source_length` tokens, at most kLongestTranslation. Both lengths are
/// without end-of-sentence.
int64_t max_length(const SearchOptions& options, int64_t source_length);

/// The score that ranks hypotheses, without the coverage penalty. length: tokens of the hypothesis with
/// end-of-sentence, at least 1.
double normalized_score(double log_probability, int64_t length, const SearchOptions& options);

/// The number of finished hypotheses that end the search of a group of `size` hypotheses.
int64_t stop_count(const StopAtCount& stop, int64_t size);

}  // namespace heed::search
