// Models that LibTorch runs, on any device, for a Translator or a Generator: one model, an ensemble, or a model with a
// language model.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <c10/core/Device.h>

#include "heed/text/tokenizer.h"
#include "heed/translation/translation_model.h"
#include "heed/translation/translator_options.h"
#include "heed_torch/models/model.h"
#include "heed_torch/translation/ensemble_beam.h"

namespace heed::translation {

/// Shallow fusion with a language model of the target language: see heed_torch/search/step_scores.h.
struct ShallowFusion {
  std::shared_ptr<models::Model> model;              ///< on the translation model's device
  std::shared_ptr<const text::Tokenizer> tokenizer;  ///< of the translation model's target vocabulary
  double weight = kFusionWeight;                     ///< weight of its log-probabilities
};

class EnsembleModel : public TranslationModel {
 public:
  /// The model must be on `device`; it is in evaluation mode while jobs run.
  EnsembleModel(std::shared_ptr<models::Model> model, at::Device device);

  /// Adds a model to the ensemble: a token's probability is the mean of the models' probabilities, see
  /// heed_torch/search/step_scores.h. The model must be on the first one's device. ours: the first model's
  /// tokenizers. Throws ConfigError, about `option`, if the vocabularies differ. After the last model, weigh() can set
  /// weights.
  void add_model(std::shared_ptr<models::Model> model, const text::Tokenizers& tokenizers, const text::Tokenizers& ours,
                 const std::string& option = "ensemble");
  /// weights: one per model, the first model's first, above 0; empty: all equal. They are normalized to sum to 1.
  /// Throws ConfigError for another number of weights.
  void weigh(std::vector<double> weights);
  /// Ranks translations by the sum of the translation model's log-probability and the language model's weighted one.
  /// ours: the translation model's tokenizers. Throws ConfigError if the vocabularies differ.
  void fuse(const ShallowFusion& fusion, const text::Tokenizers& ours);

  std::unique_ptr<search::BeamModel> begin_search() const override;
  std::optional<int64_t> max_source_length() const override { return max_source_length_; }
  bool is_batch_invariant() const override { return false; }
  bool on_gpu() const override { return !ensemble_.device.is_cpu(); }
  int64_t default_workers() const override;
  void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) const override;

 private:
  void add(std::shared_ptr<models::Model> model);

  Ensemble ensemble_;
  std::optional<int64_t> max_source_length_;
};

}  // namespace heed::translation
