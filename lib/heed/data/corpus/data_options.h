// The options of the `[data]` section: which pairs are kept, and how batches are made of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heed/core/options.h"
#include "heed/data/corpus/pair_filters.h"
#include "heed/data/corpus/text_format.h"

namespace heed::data {

/// How text is encoded.
struct CorpusOptions {
  int64_t max_source_length = 256;  ///< ids without eos; longer pairs are left out and counted
  int64_t max_target_length = 256;  ///< ids without bos and eos; longer pairs are left out and counted
  TextFormat format{};
  PairFilters filters{};
  bool operator==(const CorpusOptions&) const = default;
};
void describe(CorpusOptions& o, AnyOptionVisitor auto& visit) {
  visit("max-source-length", o.max_source_length, "leave out pairs whose source has more tokens", at_least(1));
  visit("max-target-length", o.max_target_length, "leave out pairs whose target has more tokens", at_least(1));
  describe(o.format, visit);
  describe(o.filters, visit);
}

/// Each pair is its own context. Pairs of similar length form a batch, in random order (window_plan.h).
struct SentenceContext {
  static constexpr std::string_view kName = "sentence";
  int64_t step_tokens = 4000;  ///< maximum target tokens per step; a longer pair is a batch by itself
  double growth_epochs = 0;    ///< over which the batch grows to step_tokens (batch_growth.h); 0: it is constant
  std::optional<int64_t> initial_step_tokens = std::nullopt;  ///< the first batch; absent: a quarter of step_tokens
  double curriculum_epochs = 0;        ///< until all pairs are seen, the shortest first (batch_growth.h); 0: from the
                                       ///< beginning on
  int64_t shuffle_window = 1'000'000;  ///< pairs shuffled and sorted by length together; takes 20 bytes of memory per
                                       ///< pair
  std::vector<std::string> mix{};      ///< PATTERN=WEIGHT of each corpus (mixture.h); empty: every pair is used once
                                       ///< per epoch
  std::vector<std::string> augment{};  ///< KIND=RATE (batches/augmentation.h); empty: text is trained on as it is
  /// Set: the text is read once and not stored, and this many pairs are shuffled and sorted by length together
  /// (streamed/). Absent: the text is stored.
  std::optional<int64_t> shuffle_buffer = std::nullopt;
  bool operator==(const SentenceContext&) const = default;
};
void describe(SentenceContext& o, AnyOptionVisitor auto& visit) {
  visit("batch-tokens", o.step_tokens,
        "batch size: most target tokens of a training step, over all replicas and ranks; end-of-sentence counted, "
        "padding not (Marian: mini-batch-words, fairseq: max-tokens)",
        between(1, 1e9));
  visit("batch-growth-epochs", o.growth_epochs,
        "batch size schedule: the batch grows evenly to data.batch-tokens over this many epochs; 0: off", at_least(0));
  visit("initial-batch-tokens", o.initial_step_tokens,
        "batch size at the beginning, if it grows; none: a quarter of data.batch-tokens", between(1, 1e9));
  visit(
      "curriculum-epochs", o.curriculum_epochs,
      "curriculum: the shortest sources come first, and all pairs after this many epochs; an epoch is one pass over the "
      "pairs that are not too long yet; 0: off",
      at_least(0));
  visit("shuffle-window", o.shuffle_window,
        "pairs of the stored text that are shuffled together, 20 bytes of memory each", between(1, 2e9));
  visit(
      "shuffle-buffer", o.shuffle_buffer,
      "shuffle buffer of a stream, in pairs of about 1 kB of memory each: the text is not stored but read once, as it "
      "comes (standard input, a pipe), and this many pairs are shuffled together; training ends with the text, and "
      "resumes if the text is given again from its beginning; none: the text is stored",
      between(1, 2e9));
  visit(
      "corpus-weights", o.mix,
      "weights of corpora: PATTERN=WEIGHT for the files of each, such as 'news*=2' 'web*=1': of three pairs two are of "
      "files named news..., whatever their sizes; pairs of a small corpus come several times an epoch (OpenNMT: "
      "weight, fairseq: upsample); without, every pair comes once");
  visit(
      "augment", o.augment,
      "data augmentation: KIND=RATE, such as upper-case=0.05 typos=0.1: in each epoch, that share of the pairs is changed "
      "so; join (the next pair on the same line), upper-case, title-case, no-punctuation, double-punctuation, typos, "
      "no-accents, emoji, url; without, text is trained on as it is");
}

/// All lines are read in order as one text, for recurrent language models. Their state is carried from step to
/// step, but gradients stop at the start of a step (truncated backpropagation through time: Mikolov et al. 2010).
struct TextContext {
  static constexpr std::string_view kName = "text";
  int64_t columns = 32;  ///< batch size: columns of the text that are read in parallel; fewer if the text has fewer
                         ///< lines
  int64_t steps = 35;    ///< BPTT length: tokens per column and step; at least 2, so that one of them is not
                         ///< begin-of-sentence
  bool operator==(const TextContext&) const = default;
};
void describe(TextContext& o, AnyOptionVisitor auto& visit) {
  visit("batch-size", o.columns,
        "batch size: the text is split into this many parts of equal length, which are read in parallel",
        between(1, 1e6));
  visit("bptt-length", o.steps,
        "truncated backpropagation through time: tokens of each part of the text in a training step", between(2, 1e6));
}

/// How a stream of training batches is made of an encoded corpus.
struct StreamOptions {
  std::variant<SentenceContext, TextContext> context = {};
  int64_t micro_batches = 1;  ///< micro-batches per step; fewer if its batch has fewer pairs or columns
  std::optional<int64_t> total_micro_batches = std::nullopt;  ///< micro-batches per step over all replicas and ranks;
                                                              ///< absent: `micro_batches` for each of them
  int64_t prefetch = 8;                                       ///< batches prepared in advance
  int64_t prefetch_threads = 4;  ///< threads that prepare batches; idle when all are prepared
  bool operator==(const StreamOptions&) const = default;
};
void describe(StreamOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("context", o.context,
                     "context of a language model: its own line (sentence), or all text before (text: "
                     "a recurrent decoder's state is carried from line to line, in validation too)");
  visit("micro-batches", o.micro_batches,
        "gradient accumulation: micro-batches of a training step, computed one after the other to save memory; the "
        "batch stays as large",
        between(1, 1e9));
  visit("total-micro-batches", o.total_micro_batches,
        "micro-batches of a training step, over all replicas and ranks; with the same number the result is the same to "
        "the last bit, on any number of replicas and ranks; none: data.micro-batches for each of them",
        between(1, 1e6));
  visit("prefetch", o.prefetch, "batches prepared in advance", at_least(1));
  visit("prefetch-threads", o.prefetch_threads,
        "threads that prepare batches; tokenizers that sample (subword regularization) keep them busy", between(1, 64));
}

/// Size of a stream's shuffle buffer in pairs; absent if the text is stored.
inline std::optional<int64_t> shuffle_buffer_of(const StreamOptions& options) {
  const auto* sentences = std::get_if<SentenceContext>(&options.context);
  return sentences ? sentences->shuffle_buffer : std::nullopt;
}

struct DataOptions {
  CorpusOptions corpus;
  StreamOptions stream;
  bool operator==(const DataOptions&) const = default;
};
void describe(DataOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.stream, visit);
  describe(o.corpus, visit);
}

}  // namespace heed::data
