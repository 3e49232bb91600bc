#include "heed/serve/served_model.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "heed/api/constraint_options.h"
#include "heed/api/purpose.h"
#include "heed/core/error.h"
#include "heed/model_directory/manifest.h"

namespace heed::serve {

ServedModel::ServedModel(const std::string& directory, const api::OpenOptions& options)
    : trained_(std::make_unique<api::TrainedModel>(directory, options)) {
  api::require_purpose(api::Purpose::Translation, directory, trained_->options().arch);
  if (trained_->options().arch.vectors.any()) {
    throw ConfigError("model", fmt::format("{} reads vectors, which a server does not receive", directory));
  }
  model_ = trained_->translation_model();  // first: it may read the description once more
  options_ = trained_->options();
  if (options.engine.short_list && !std::holds_alternative<search::BeamMethod>(options_.search.search.method)) {
    throw ConfigError("--shortlist", fmt::format("needs beam search: {} samples (`search.method`)", directory));
  }
  tokenizers_ = trained_->tokenizers();
  usual_source_length_ = checkpoint::read_manifest(directory).usual_source_length;
}

translation::Translator ServedModel::translator(const TranslationSettings& settings) const {
  config::TranslateOptions options = options_.search;
  options.search.n_best = settings.n_best;
  options.search.beam = std::max(options.search.beam, settings.n_best * options.search.groups);
  options.translator.workers = 1;
  translation::Translator translator(model_, tokenizers_, options.search, options.translator,
                                     {.token_scores = settings.token_scores, .attention = settings.attention});
  translator.split(translation::SplitRule::Auto, usual_source_length_);
  api::ConstraintOptions constraints;
  constraints.target_tag = settings.target_tag;
  api::constrain(translator, constraints, options.search, tokenizers_);
  return translator;
}

/// Samples depend on the number of the line, which is another in a batch of several requests.
bool ServedModel::mixes_requests() const {
  return model_->is_batch_invariant() && std::holds_alternative<search::BeamMethod>(options_.search.search.method);
}

}  // namespace heed::serve
