#include "heed_torch/translation/logits_model.h"

#include <algorithm>
#include <list>
#include <utility>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/translation/same_vocabulary.h"
#include "heed_torch/search/ensemble_step.h"
#include "heed_torch/search/logits_beam.h"
#include "heed_torch/search/shallow_fusion_step.h"
#include "heed_torch/translation/evaluation_mode.h"
#include "heed_torch/translation/lines/jobs.h"
#include "heed_torch/translation/model_step.h"
#include "heed_torch/translation/same_source.h"

namespace heed::translation {

LogitsModel::LogitsModel(std::shared_ptr<models::Model> model, at::Device device) : device_(device) {
  check(model != nullptr, "a translation needs a model");
  add(std::move(model));
}

void LogitsModel::add(std::shared_ptr<models::Model> model) {
  if (const auto limit = model->max_source_length()) {
    max_source_length_ = std::min(max_source_length_.value_or(*limit), *limit);
  }
  models_.push_back(std::move(model));
}

void LogitsModel::add_model(std::shared_ptr<models::Model> model, const text::Tokenizers& tokenizers,
                            const text::Tokenizers& ours, const std::string& option) {
  check(model && model->encoder && tokenizers.target, "an ensemble needs translation models");
  require_same_source(*models_.front(), ours, *model, tokenizers, option);
  require_same_vocabulary(*ours.target, *tokenizers.target, option, "target");
  add(std::move(model));
}

void LogitsModel::fuse(ShallowFusion fusion, const text::Tokenizers& ours) {
  check(fusion.model && !fusion.model->encoder && fusion.tokenizer, "fusion needs a language model and its tokenizer");
  require_same_vocabulary(*ours.target, *fusion.tokenizer, "language-model", "target");
  fusion_ = std::move(fusion);
}

std::unique_ptr<search::BeamModel> LogitsModel::begin_search() const {
  std::vector<std::unique_ptr<search::StepModel>> members;
  for (const auto& model : models_) members.push_back(std::make_unique<ModelStep>(model, device_));
  std::unique_ptr<search::StepModel> step = members.size() == 1
                                                ? std::move(members.front())
                                                : std::make_unique<search::EnsembleStep>(std::move(members), weights_);
  if (fusion_) {
    auto language = std::make_unique<ModelStep>(fusion_->model, device_);
    step = std::make_unique<search::ShallowFusionStep>(std::move(step), std::move(language), fusion_->weight);
  }
  return std::make_unique<search::LogitsBeam>(std::move(step));
}

int64_t LogitsModel::default_workers() const { return worker_count({}, device_); }

void LogitsModel::run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) const {
  std::list<EvaluationMode> evaluations;
  for (const auto& model : models_) evaluations.emplace_back(*model);
  if (fusion_) evaluations.emplace_back(*fusion_->model);
  translation::run_jobs(workers, jobs, run);
}

}  // namespace heed::translation
