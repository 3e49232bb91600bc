// The options of the `[text]` section: the tokenizers of a model and how they are learned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heed/core/options.h"

namespace heed::text {

/// How text is normalized before it is segmented: SentencePiece's normalizers by their names, and Whitespace. All
/// except Identity also join runs of spaces and drop spaces at both ends. Whitespace and Identity keep every other
/// character, but a TAB becomes a space.
enum class Normalizer { NmtNfkc, Nfkc, NmtNfkcCaseFolded, NfkcCaseFolded, Whitespace, Identity };
constexpr auto option_names(Normalizer) {
  return std::array{std::pair{Normalizer::NmtNfkc, "nmt_nfkc"},
                    std::pair{Normalizer::Nfkc, "nfkc"},
                    std::pair{Normalizer::NmtNfkcCaseFolded, "nmt_nfkc_cf"},
                    std::pair{Normalizer::NfkcCaseFolded, "nfkc_cf"},
                    std::pair{Normalizer::Whitespace, "whitespace"},
                    std::pair{Normalizer::Identity, "identity"}};
}

/// Maximum vocabulary size. A small corpus gives fewer entries; this is logged.
struct VocabularySize {
  int64_t vocab_size = 8000;                   ///< entries, including the four special ones
  std::optional<int64_t> source_vocab_size{};  ///< only for the source; needs joint = false
  std::optional<int64_t> target_vocab_size{};  ///< only for the target; needs joint = false
  bool operator==(const VocabularySize&) const = default;
};
void describe(VocabularySize& o, AnyOptionVisitor auto& visit) {
  visit("vocab-size", o.vocab_size, "vocabulary size, at most; the four special tokens included", at_least(5));
  visit("source-vocab-size", o.source_vocab_size, "vocabulary size of the source; needs joint = false", at_least(5));
  visit("target-vocab-size", o.target_vocab_size, "vocabulary size of the target; needs joint = false", at_least(5));
}

/// Options of both SentencePiece methods.
struct SubwordOptions {
  VocabularySize size{};
  double coverage = 1.0;                            ///< share of the corpus's characters that get an entry
  std::optional<Normalizer> normalizer{};           ///< for both sides
  std::optional<Normalizer> source_normalizer{};    ///< for the source; none: `normalizer`, else NmtNfkc
  std::optional<Normalizer> target_normalizer{};    ///< for the target; none: `normalizer`, else Whitespace
  std::vector<std::string> user_symbols{};          ///< texts that are never split
  bool byte_fallback = false;                       ///< characters without an entry become their UTF-8 bytes, not unk
  std::optional<int64_t> sample_lines = 2'000'000;  ///< learn from this many sampled lines; none: all
  std::optional<int64_t> sample_megabytes = 64;     ///< learn from at most this much text per tokenizer; none: no limit
  /// The defaults differ. A source is easier to read in a single form. A target must be able to produce every character
  /// of its training text.
  Normalizer of_source() const { return source_normalizer.value_or(normalizer.value_or(Normalizer::NmtNfkc)); }
  Normalizer of_target() const { return target_normalizer.value_or(normalizer.value_or(Normalizer::Whitespace)); }
  bool operator==(const SubwordOptions&) const = default;
};
void describe(SubwordOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.size, visit);
  visit("coverage", o.coverage,
        "character coverage (SentencePiece): share of the text's characters that "
        "get an entry; others are unknown (0.9995 suits Chinese and Japanese)",
        between(0.98, 1));
  visit(
      "normalizer", o.normalizer,
      "Unicode normalization of both sides (default: nmt_nfkc of the source, whitespace of the target); _cf also folds "
      "case, whitespace only joins runs of spaces, identity changes nothing");
  visit("source-normalizer", o.source_normalizer, "normalizer of the source only");
  visit("target-normalizer", o.target_normalizer,
        "normalizer of the target only; the model can write only what its normalizer keeps");
  visit("user-symbols", o.user_symbols, "texts that are never split, such as <url>");
  visit("byte-fallback", o.byte_fallback,
        "byte fallback: characters without an entry become their UTF-8 bytes instead of unknown");
  visit("sample-lines", o.sample_lines, "learn from this many lines, sampled evenly from the text; none: from all",
        at_least(1000));
  visit(
      "sample-megabytes", o.sample_megabytes,
      "learn from fewer lines where they have more text than this, in MB; learning takes some 25 times as much memory; none: "
      "no limit",
      at_least(1));
}

/// Training always uses the best segmentation.
struct NoSampling {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoSampling&) const = default;
};
void describe(NoSampling&, AnyOptionVisitor auto&) {}

/// Subword regularization (Kudo 2018, https://arxiv.org/abs/1804.10959, section 3). In training, a segmentation x is
/// sampled from the `nbest` best ones with probability proportional to P(x)^alpha.
struct NbestSampling {
  static constexpr std::string_view kName = "nbest";
  double alpha = 0.1;  ///< 0: uniform over the n best; large: always the best
  int64_t nbest = 64;  ///< segmentations considered (Kudo's l)
  bool operator==(const NbestSampling&) const = default;
};
void describe(NbestSampling& o, AnyOptionVisitor auto& visit) {
  visit("sampling-alpha", o.alpha, "sharpness of the sampling: 0 is uniform, large values prefer the best",
        at_least(0));
  visit("sampling-nbest", o.nbest, "number of best segmentations to sample from", between(2, 1024));
}

/// The same, but samples from all segmentations. Much faster than NbestSampling.
struct LatticeSampling {
  static constexpr std::string_view kName = "lattice";
  double alpha = 0.2;  ///< 0: uniform over all segmentations; large: always the best
  bool operator==(const LatticeSampling&) const = default;
};
void describe(LatticeSampling& o, AnyOptionVisitor auto& visit) {
  visit("sampling-alpha", o.alpha, "sharpness of the sampling: 0 is uniform, large values prefer the best",
        at_least(0));
}

using UnigramSampling = std::variant<NoSampling, NbestSampling, LatticeSampling>;

/// SentencePiece's unigram language model (Kudo 2018).
struct UnigramOptions {
  static constexpr std::string_view kName = "unigram";
  SubwordOptions subwords{};
  UnigramSampling sampling{};
  bool operator==(const UnigramOptions&) const = default;
};
void describe(UnigramOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.subwords, visit);
  visit.alternatives("sampling", o.sampling, "subword regularization: sample the segmentation of each training line");
}

/// SentencePiece's byte-pair encoding (Sennrich et al. 2016, https://arxiv.org/abs/1508.07909).
struct SentencePieceBpeOptions {
  static constexpr std::string_view kName = "sentencepiece-bpe";
  SubwordOptions subwords{};
  bool operator==(const SentencePieceBpeOptions&) const = default;
};
void describe(SentencePieceBpeOptions& o, AnyOptionVisitor auto& visit) { describe(o.subwords, visit); }

/// Byte-pair encoding of words, identical to subword-nmt's (bpe/). For text that is already tokenized or must not be
/// changed. The vocabulary is the units of the training text. Merges that give other units are undone.
struct BpeOptions {
  static constexpr std::string_view kName = "bpe";
  static constexpr int64_t kMerges = 8000;
  static constexpr int64_t kMinimumFrequency = 2;
  std::optional<int64_t> merges{};             ///< maximum number of merges to learn; none: kMerges
  std::optional<int64_t> minimum_frequency{};  ///< of a pair to merge; none: kMinimumFrequency
  std::vector<std::string> codes{};            ///< files of merges to use instead of learning: one, or one per side
  std::vector<std::string> vocabulary{};       ///< files of units to use instead of counting: one, or one per side
  int64_t vocabulary_threshold = 1;            ///< rarer units are split further
  std::vector<std::string> glossaries{};       ///< regular expressions for parts of words that are never split
  std::string separator = "@@";                ///< suffix of a unit that is not the last of its word
  double dropout = 0;  ///< BPE-dropout in training (Provilkov et al. 2020, https://arxiv.org/abs/1910.13267); 0: off
  bool operator==(const BpeOptions&) const = default;
};
void describe(BpeOptions& o, AnyOptionVisitor auto& visit) {
  visit("merges", o.merges, "merges to learn, at most (8000 unless codes are given)", at_least(0));
  visit("minimum-frequency", o.minimum_frequency,
        "stop learning where no pair is as frequent as this (2 unless codes are given)", at_least(1));
  visit("codes", o.codes,
        "files of merges from heed bpe or subword-nmt to use instead of learning: one, or one for each side");
  visit("vocabulary", o.vocabulary,
        "vocabulary files from heed bpe vocabulary or subword-nmt to use instead "
        "of counting the units of the training text: one, or one for each side");
  visit("vocabulary-threshold", o.vocabulary_threshold, "units that occur less often are split further", at_least(1));
  visit("glossaries", o.glossaries, "regular expressions (Python's syntax) of parts of words that are never split");
  visit("separator", o.separator, "suffix of a unit that the next one continues");
  visit("dropout", o.dropout, "BPE-dropout in training: probability of leaving out each possible merge; 0: off",
        between(0, 1));
}

/// Words separated by white space. The most frequent ones have an entry; ties are in code point order.
struct WordsOptions {
  static constexpr std::string_view kName = "words";
  VocabularySize size{.vocab_size = 30000};
  int64_t minimum_count = 1;  ///< rarer words are unknown
  bool operator==(const WordsOptions&) const = default;
};
void describe(WordsOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.size, visit);
  visit("minimum-count", o.minimum_count, "words that occur less often are unknown", at_least(1));
}

/// Code points, including white space. The most frequent ones have an entry.
struct CharactersOptions {
  static constexpr std::string_view kName = "characters";
  VocabularySize size{};
  int64_t minimum_count = 1;  ///< rarer characters are unknown
  bool operator==(const CharactersOptions&) const = default;
};
void describe(CharactersOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.size, visit);
  visit("minimum-count", o.minimum_count, "characters that occur less often are unknown", at_least(1));
}

/// Text that another program has tokenized. Tokens are separated by white space, and each has an entry.
struct PretokenizedOptions {
  static constexpr std::string_view kName = "pretokenized";
  int64_t minimum_count = 1;               ///< rarer tokens are unknown
  std::optional<std::string> separator{};  ///< suffix of a token that the next one continues ("@@"); removed in the
                                           ///< output
  bool operator==(const PretokenizedOptions&) const = default;
};
void describe(PretokenizedOptions& o, AnyOptionVisitor auto& visit) {
  visit("minimum-count", o.minimum_count, "tokens that occur less often are unknown", at_least(1));
  visit("separator", o.separator,
        "suffix of a token that the next one continues, such as @@; translations are joined there");
}

/// The tokenizers of a model.
struct TokenizerOptions {
  std::variant<UnigramOptions, SentencePieceBpeOptions, BpeOptions, WordsOptions, CharactersOptions,
               PretokenizedOptions>
      type{};
  bool joint = true;  ///< one vocabulary, learned from both sides together
  bool operator==(const TokenizerOptions&) const = default;
};
void describe(TokenizerOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("type", o.type, "kind of tokenizer");
  visit("joint", o.joint, "one joint vocabulary, learned from both sides together");
}
/// Throws ConfigError if options contradict each other.
void validate(const TokenizerOptions& options);

}  // namespace heed::text
