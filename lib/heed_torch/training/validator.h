// Scores a model on validation text: the loss per token, and translations or predictions. It makes and scores these as
// `heed translate`, `heed predict` and `heed evaluate` do.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <c10/core/Device.h>

#include "heed/data/corpus/micro_batch.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/report/observer.h"
#include "heed/search/search_options.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/translator.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/models/model.h"
#include "heed_torch/training/step/recurrent_states.h"
#include "heed_torch/training/stopping.h"
#include "heed_torch/training/train_options.h"

namespace heed::training {

/// Validation text in two forms: encoded for the loss (without blank or too long pairs), and as lines for translations.
struct ValidationSet {
  std::shared_ptr<const data::EncodedCorpus> corpus;
  std::vector<std::string> source;
  std::vector<std::string> reference;
  bool continuous = false;  ///< for the loss the lines are one text; the state is carried from line to line
};

struct ValidationScores {
  std::map<std::string, double> scores;    ///< "loss" and "perplexity" (natural log, per target token); for
                                           ///< translations "bleu" and "chrf"; for predictions see prediction_scorer.h
  std::string signature;                   ///< of BLEU; empty without it
  std::string chrf_signature;              ///< of chrF; empty without it
  std::vector<SampleTranslation> samples;  ///< evenly spread over the text, the same lines each time; the first short
                                           ///< one has its attention
  std::vector<std::string> translations;   ///< of all lines; empty: none are translated
  std::vector<std::string> references;     ///< of these lines
};

/// What a Validator needs.
struct ValidatorSetup {
  std::shared_ptr<models::Model> model;  ///< on `device`
  text::Tokenizers tokenizers;
  ValidationSet validation;
  ValidationOptions options = {};
  search::SearchOptions search = {};  ///< of the model's translations: see validation_search()
  translation::TranslatorOptions translator = {};
  c10::Device device{c10::kCPU};
  std::shared_ptr<distributed::RankGroup> ranks = distributed::one_rank();  ///< the ranks that share the text
};

class Validator {
 public:
  /// Throws ConfigError if the options ask a language model for translations.
  explicit Validator(ValidatorSetup setup);
  ~Validator();

  /// Scores the model as it is now, without dropout. A model in training mode is in training mode again afterwards.
  /// Throws Stopped soon after a request. All ranks call it at once; each scores its share of the text, and all get the
  /// same scores.
  ValidationScores validate(const StopRequest& stop) const;
  /// Tries validate() on little data: the batch of the longest sentences, and the translation of the longest lines. So
  /// missing or too large things fail before training, not hours later.
  void rehearse() const;

  /// Sets the listener that is called during validations whenever some work is done. It gets how much of this rank's
  /// share is done, and the unit: "batches" of the loss, or "lines".
  using Listener = std::function<void(int64_t done, int64_t all, std::string_view things)>;
  void report_to(Listener listener) { listener_ = std::move(listener); }

  /// The loss of a model that knows only how frequent each token is: see frequency_loss.h.
  std::optional<double> frequency_loss() const;

  /// The number of pairs within the length limits, over which the loss is computed.
  int64_t pairs() const { return validation_.corpus->size(); }
  /// The number of all lines; 0 if nothing is translated.
  int64_t translated_lines() const { return translating_ ? static_cast<int64_t>(validation_.source.size()) : 0; }

 private:
  void warn_of_tokenizer(const metrics::BleuOptions& bleu) const;
  void warn_of_long_lines(const text::Tokenizer& tokenizer) const;
  double part_of_loss(const data::MicroBatch& batch, RecurrentStates* carried) const;
  double loss(const StopRequest& stop) const;
  bool is_ours(size_t number) const;  // whether this rank computes that batch or block
  using OnLines = std::function<void(int64_t lines)>;
  /// Makes the texts of some sources. Calls on_lines with the number made so far; on_lines may throw Stopped.
  using MakeTexts =
      std::function<std::vector<std::string>(const std::vector<translation::SourceLine>&, const OnLines& on_lines)>;
  std::optional<std::string> make_own_texts(const MakeTexts& make, const StopRequest& stop) const;
  std::vector<std::string> make_texts(const MakeTexts& make, const StopRequest& stop) const;
  void predict(ValidationScores& scores, const StopRequest& stop) const;
  text::Alignment attention_of(size_t line) const;
  void translate(ValidationScores& scores, const StopRequest& stop) const;

  std::shared_ptr<models::Model> model_;
  ValidationSet validation_;
  c10::Device device_;
  std::shared_ptr<distributed::RankGroup> ranks_;
  struct Translating;
  std::unique_ptr<Translating> translating_;  // null: nothing is translated
  struct Predicting;
  std::unique_ptr<const Predicting> predicting_;  // of a head; null: a decoder writes text
  std::vector<translation::SourceLine> sources_;  // that are translated or predicted
  std::vector<std::vector<size_t>> blocks_;       // of sources that are translated together: see make_texts
  std::vector<data::MicroBatch> batches_;         // longest first, or in order of a continuous text
  Listener listener_ = [](int64_t, int64_t, std::string_view) {};
};

}  // namespace heed::training
