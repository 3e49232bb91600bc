// The log-probability of given translations, or of text under a language model. The decoder reads all positions at
// once, as in training. Except for rounding, these are the log-probabilities that search computes for the same tokens.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <c10/core/Device.h>

#include "heed/core/options.h"
#include "heed/engine/engine.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/scored_translation.h"
#include "heed/translation/lines/source_line.h"
#include "heed_torch/models/model.h"

namespace heed::translation {

/// These options do not change the scores, except for rounding: sums in other batches differ in the last digits.
struct ScorerOptions {
  int64_t batch_tokens = 4096;          ///< tokens of both sides, including padding, that a worker scores at once
  std::optional<int64_t> workers = {};  ///< threads that share the model; absent: one per CPU thread, 1 on a GPU
  bool operator==(const ScorerOptions&) const = default;
};
void describe(ScorerOptions& o, AnyOptionVisitor auto& visit) {
  visit("batch-tokens", o.batch_tokens,
        "batch size: tokens of both sides, padding included, that a worker scores at once", between(1, 1e9));
  visit("workers", o.workers, "threads that score, sharing the model; none: one for each CPU thread, 1 on a GPU",
        at_least(1));
}

/// Throws ConfigError, about `option`, unless the model is a language model whose state carries over from one line to
/// the next.
void require_reading_on(const models::Model& model, const std::string& option);

class Scorer {
 public:
  /// The model must be on `device`.
  Scorer(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, const ScorerOptions& options,
         at::Device device);

  /// Computes all further scores on the inference engine, which has the same parameters, one token of each target at a
  /// time.
  void use_engine(std::shared_ptr<const engine::Engine> engine) { engine_ = std::move(engine); }

  /// The score of targets[i] as a translation of sources[i]. There must be as many sources as targets; a language model
  /// has no sources. Lines are not split. Throws LineTooLong if the model has too few positions or the machine too
  /// little memory for a line, and Error if the model gives NaN.
  std::vector<ScoredTranslation> score(std::span<const std::string> sources,
                                       std::span<const std::string> targets) const;
  /// The same for sources with vectors.
  std::vector<ScoredTranslation> score_all(std::span<const SourceLine> sources,
                                           std::span<const std::string> targets) const;
  /// The same for ids, without bos and eos.
  std::vector<ScoredTranslation> score(std::span<const text::Ids> sources, std::span<const text::Ids> targets) const;

  /// Scores the lines as one text: each line continues from the state after the previous ones. Blank lines are skipped,
  /// as in training; they have no tokens and probability 1. carried: the decoder's state, as in Decoder::read_on; empty
  /// at the text's beginning. Throws ConfigError unless the model is a language model whose state carries over.
  std::vector<ScoredTranslation> score_text(std::span<const std::string> lines,
                                            std::vector<models::CellState>& carried) const;

 private:
  struct Pair;
  std::vector<ScoredTranslation> score_pairs(std::vector<Pair> pairs) const;
  void score_batch(std::span<const Pair> pairs, std::span<ScoredTranslation> scored) const;
  void score_on_engine(std::span<const Pair> pairs, std::span<ScoredTranslation> scored) const;

  std::shared_ptr<models::Model> model_;
  text::Tokenizers tokenizers_;
  ScorerOptions options_;
  at::Device device_;
  std::shared_ptr<const engine::Engine> engine_;
};

}  // namespace heed::translation
