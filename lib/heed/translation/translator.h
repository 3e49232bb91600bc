// Translates raw lines to raw lines: N in, N out, in their order, a blank line for a blank line. Programs, servers and
// validation all translate with this class. A line that is too long for the model is translated in parts; its
// Translation says so.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/Device.h>

#include "heed/models/model.h"
#include "heed/search/beam_model.h"
#include "heed/search/running_sentence.h"
#include "heed/search/search_options.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/forced_attention.h"
#include "heed/translation/lines/assemble.h"
#include "heed/translation/lines/translation.h"
#include "heed/translation/translator_options.h"

namespace heed::engine {
class Engine;
}

namespace heed::translation {

/// How far a stream of lines has come.
struct TranslationProgress {
  int64_t lines = 0;          ///< translated, perhaps not yet given out
  int64_t source_tokens = 0;  ///< end-of-sentence counted, as in training
  int64_t target_tokens = 0;  ///< of the best translations, end-of-sentence counted
  double seconds = 0;         ///< since the first line was asked for
};

/// Gives the next line (well-formed UTF-8); false at the end.
using NextLine = std::function<bool(std::string& line)>;
using TakeTranslation = std::function<void(Translation&& translation)>;
/// Called from the workers' threads, one at a time.
using OnProgress = std::function<void(const TranslationProgress& progress)>;

/// Shallow fusion with a language model of the target language: see search/logits/shallow_fusion_step.h.
struct ShallowFusion {
  std::shared_ptr<models::Model> model;              ///< on the translation model's device
  std::shared_ptr<const text::Tokenizer> tokenizer;  ///< of the translation model's target vocabulary
  double weight = 0.2;                               ///< of its log-probabilities
};

/// Translates on any device, and on a CPU with an engine.
class Translator {
 public:
  /// The model must lie on `device`. Throws ConfigError when options do not fit together.
  Translator(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, const search::SearchOptions& search,
             const TranslatorOptions& options, at::Device device, search::Keep keep = {});

  /// From now on tokens have the mean of the probabilities that the models give them: see
  /// search/logits/ensemble_step.h. The model must lie on the first one's device. Throws ConfigError, about `option`,
  /// when the vocabularies differ.
  void add_model(std::shared_ptr<models::Model> model, const text::Tokenizers& tokenizers,
                 const std::string& option = "ensemble");
  /// From now on translations are ranked by the sum of the translation's and the language model's log-probabilities,
  /// the second weighted. Throws ConfigError when the vocabularies differ.
  void fuse(ShallowFusion fusion);
  /// From now on the first model computes on the engine, which has its parameters, where it searches alone: neither in
  /// an ensemble nor in shallow fusion.
  void use_engine(std::shared_ptr<const engine::Engine> engine);
  /// From now on the attention of a translation, also of the next best, is that of the model when it reads it once
  /// more: for a layer or head, or all of them (the search keeps the mean of the last layer's heads only). prefix: of
  /// the options' names in messages. Throws ConfigError for what the model does not have. Not for an ensemble.
  void show(const ShownAttention& shown, std::string_view prefix = "");

  /// The translation of each line, in order.
  std::vector<Translation> translate(std::span<const std::string> lines, const OnProgress& on_progress = {}) const;
  /// Reads a window of lines, translates it and gives it out in order, until there are no more lines. Memory is bounded
  /// by the window. The first windows are small, so that output begins soon. With a window of 1 each line is answered
  /// before the next is asked for.
  void translate(const NextLine& next, const TakeTranslation& take, const OnProgress& on_progress = {}) const;

  /// The tokens of the longest line translated whole, end-of-sentence not counted.
  int64_t max_source_length() const { return max_source_length_; }

 private:
  class Counter;
  struct Window;
  Window prepare(std::span<const std::string> lines) const;
  void search(Window& window, Counter& counter) const;
  std::vector<Translation> translate_window(std::span<const std::string> lines, Counter& counter) const;
  std::unique_ptr<search::BeamModel> make_beam() const;
  void read_again(TranslatedPart& part) const;
  void limit_source_length(const models::Model& model);

  std::vector<std::shared_ptr<models::Model>> models_;  // more than one: an ensemble
  text::Tokenizers tokenizers_;
  search::SearchOptions search_;
  TranslatorOptions options_;
  at::Device device_;
  search::Keep keep_;
  int64_t max_source_length_;
  std::shared_ptr<const engine::Engine> engine_;
  std::optional<ShallowFusion> fusion_;
  std::optional<ForcedAttention> shown_;
};

}  // namespace heed::translation
