#include "heed_torch/translation/ensemble_model.h"

#include <algorithm>
#include <list>
#include <utility>

#include <fmt/format.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/translation/same_vocabulary.h"
#include "heed_torch/translation/evaluation_mode.h"
#include "heed_torch/translation/lines/jobs.h"
#include "heed_torch/translation/same_source.h"

namespace heed::translation {

EnsembleModel::EnsembleModel(std::shared_ptr<models::Model> model, at::Device device) : ensemble_{.device = device} {
  check(model != nullptr, "a translation needs a model");
  add(std::move(model));
}

void EnsembleModel::add(std::shared_ptr<models::Model> model) {
  if (const auto limit = model->max_source_length()) {
    max_source_length_ = std::min(max_source_length_.value_or(*limit), *limit);
  }
  ensemble_.members.push_back(std::move(model));
}

void EnsembleModel::add_model(std::shared_ptr<models::Model> model, const text::Tokenizers& tokenizers,
                              const text::Tokenizers& ours, const std::string& option) {
  check(model && model->encoder && tokenizers.target, "an ensemble needs translation models");
  require_same_source(*ensemble_.members.front(), ours, *model, tokenizers, option);
  require_same_vocabulary(*ours.target, *tokenizers.target, option, "target");
  add(std::move(model));
}

void EnsembleModel::weigh(std::vector<double> weights) {
  const size_t models = ensemble_.members.size();
  if (!weights.empty() && weights.size() != models) {
    throw ConfigError("ensemble-weights", fmt::format("has {} weights for {} models", weights.size(), models));
  }
  ensemble_.weights = std::move(weights);
}

void EnsembleModel::fuse(const ShallowFusion& fusion, const text::Tokenizers& ours) {
  check(fusion.model && !fusion.model->encoder && fusion.tokenizer, "fusion needs a language model and its tokenizer");
  require_same_vocabulary(*ours.target, *fusion.tokenizer, "language-model", "target");
  ensemble_.language_model = fusion.model;
  ensemble_.language_model_weight = fusion.weight;
}

std::unique_ptr<search::BeamModel> EnsembleModel::begin_search() const {
  return std::make_unique<EnsembleBeam>(ensemble_);
}

int64_t EnsembleModel::default_workers() const { return worker_count({}, ensemble_.device); }

void EnsembleModel::run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) const {
  std::list<EvaluationMode> evaluations;
  for (const auto& model : ensemble_.members) evaluations.emplace_back(*model);
  if (ensemble_.language_model) evaluations.emplace_back(*ensemble_.language_model);
  translation::run_jobs(workers, jobs, run);
}

}  // namespace heed::translation
