#include "heed/serve/served_model.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "heed/api/purpose.h"
#include "heed/core/error.h"
#include "heed/engine/forced_attention.h"
#include "heed/model_directory/manifest.h"
#include "heed/translation/engine_model.h"

namespace heed::serve {

ServedModel::ServedModel(const std::string& directory, const api::OpenOptions& options)
    : trained_(std::make_unique<api::TrainedModel>(directory, options)) {
  api::require_purpose(api::Purpose::Translation, directory, trained_->options().arch);
  if (trained_->options().arch.vectors.any()) {
    throw ConfigError("model", fmt::format("{} reads vectors, which a server does not receive", directory));
  }
  model_ = trained_->translation_model();  // first: it may read the description once more
  options_ = trained_->options();
  api::require_whole_vocabulary(options.engine, options_.search.search);
  tokenizers_ = trained_->tokenizers();
  usual_source_length_ = checkpoint::read_manifest(directory).usual_source_length;
  if (const auto* engine = engine_model()) attention_shape_ = engine::read_attention(engine->engine(), {}, {});
}

/// Null: the model is on LibTorch.
const translation::EngineModel* ServedModel::engine_model() const {
  return dynamic_cast<const translation::EngineModel*>(model_.get());
}

bool ServedModel::has_beam_search() const {
  return std::holds_alternative<search::BeamMethod>(options_.search.search.method);
}

int64_t ServedModel::beam(const TranslationSettings& settings) const {
  const search::SearchOptions& search = options_.search.search;
  const int64_t each = (settings.n_best + search.groups - 1) / search.groups;  // hypotheses of a group
  return std::max(search.beam, each * search.groups);
}

translation::Translator ServedModel::translator(const TranslationSettings& settings,
                                                std::shared_ptr<const translation::TranslationModel> model) const {
  config::TranslateOptions options = options_.search;
  options.search.n_best = settings.n_best;
  options.search.beam = beam(settings);
  options.translator.workers = 1;
  const bool places = !settings.terms.empty() && models::has_source_attention(options_.arch);
  if (!model) model = model_;
  translation::Translator translator(
      model, tokenizers_, options.search, options.translator,
      {.token_scores = settings.token_scores, .attention = settings.attention, .places = places});
  translator.split(translation::SplitRule::Auto, usual_source_length_);
  translator.constrain(constraints_of(settings));
  return translator;
}

std::shared_ptr<const translation::TranslationConstraints> ServedModel::constraints_of(
    const TranslationSettings& settings) const {
  const auto constraints = std::make_shared<translation::TranslationConstraints>(tokenizers_.target);
  if (!settings.target_tag.empty()) constraints->tag(settings.target_tag);
  if (settings.terms.empty()) return constraints;
  if (!has_beam_search()) throw Error("`terms` needs beam search: this model samples");
  for (const auto& [source, target] : settings.terms) {
    if (!constraints->add_term(source, target)) {
      throw Error(fmt::format("`terms`: the model's vocabulary cannot spell '{}'", target));
    }
  }
  return constraints;
}

text::Ids ServedModel::tag_of(const TranslationSettings& settings) const {
  return settings.target_tag.empty() ? text::Ids{} : tokenizers_.target->encode(settings.target_tag);
}

engine::AttentionRecord ServedModel::read_attention(const translation::Translation& translation,
                                                    const text::Ids& tag) const {
  text::Ids target = tag;
  target.insert(target.end(), translation.target.begin(), translation.target.end());
  return engine::read_attention(engine_model()->engine(), translation.source, target);
}

/// Samples depend on the number of the line, which is another in a batch of several requests.
bool ServedModel::mixes_requests() const { return model_->is_batch_invariant() && has_beam_search(); }

}  // namespace heed::serve
