// The log-probability of given translations, or of text under a language model: the decoder sees all positions at once,
// as in training. Up to rounding, the log-probabilities that search computes for the same tokens.
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

/// Scores do not depend on any of these, but for rounding: sums of other batches differ in their last digits.
struct ScorerOptions {
  int64_t batch_tokens = 4096;          ///< tokens of both sides, padding included, scored at once by a worker
  std::optional<int64_t> workers = {};  ///< threads that share the model; none: one a CPU thread, 1 on a GPU
  bool operator==(const ScorerOptions&) const = default;
};
void describe(ScorerOptions& o, AnyOptionVisitor auto& visit) {
  visit("batch-tokens", o.batch_tokens,
        "batch size: tokens of both sides, padding included, that a worker scores at once", between(1, 1e9));
  visit("workers", o.workers, "threads that score, sharing the model; none: one for each CPU thread, 1 on a GPU",
        at_least(1));
}

/// Throws ConfigError, which names the option, unless the model is a language model whose decoder reads on from one
/// line to the next.
void require_reading_on(const models::Model& model, const std::string& option);

class Scorer {
 public:
  /// The model must lie on `device`.
  Scorer(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, const ScorerOptions& options,
         at::Device device);

  /// From now on score() computes on the engine, which has the model's parameters, a token of each target at a time.
  void use_engine(std::shared_ptr<const engine::Engine> engine) { engine_ = std::move(engine); }

  /// targets[i] as a translation of sources[i]; as many of both (of a language model no source). Lines are not split:
  /// throws LineTooLong for one that the model has no positions or the machine no memory for. Throws Error if the model
  /// gives NaN.
  std::vector<ScoredTranslation> score(std::span<const std::string> sources,
                                       std::span<const std::string> targets) const;
  /// The same of sources that have vectors.
  std::vector<ScoredTranslation> score_all(std::span<const SourceLine> sources,
                                           std::span<const std::string> targets) const;
  /// The same for ids, without bos and eos.
  std::vector<ScoredTranslation> score(std::span<const text::Ids> sources, std::span<const text::Ids> targets) const;

  /// The lines as one text, each going on from the state after the lines before. A blank line is none, as in training:
  /// it has no tokens and probability 1. carried: that of the decoder, as Decoder::read_on has it; empty at the text's
  /// begin. Throws ConfigError unless the model is a language model whose decoder reads on.
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
