#include "heed/api/translator.h"

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "heed/api/given_lines.h"
#include "heed/api/purpose.h"
#include "heed/api/trained_model.h"
#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed {

/// The model. Each part of it is read at its first use.
class Translator::Model {
 public:
  Model(const std::string& directory, const OpenOptions& options) : options_(options), trained_(directory, options) {
    trained_.verify();
  }

  const std::string& directory() const { return trained_.directory(); }
  const config::ModelOptions& options() const { return trained_.options(); }
  const text::Tokenizers& tokenizers() const { return trained_.tokenizers(); }
  const api::EngineOptions& engine() const { return options_.engine; }

  std::shared_ptr<const translation::TranslationModel> translating() {
    const std::scoped_lock lock(mutex_);
    if (!translating_) translating_ = trained_.translation_model();
    return translating_;
  }
  api::TorchModel& torch(std::string_view what) {
    const std::scoped_lock lock(mutex_);
    return trained_.torch(what);
  }

  /// If LibTorch is used, sets its threads to the requested number until the result is destroyed.
  std::shared_ptr<void> borrow_threads() const {
    const auto backend = api::registered_backend();
    return backend ? backend->borrow_threads(options_.engine.threads) : nullptr;
  }

 private:
  OpenOptions options_;
  std::mutex mutex_;
  api::TrainedModel trained_;
  std::shared_ptr<const translation::TranslationModel> translating_;
};

namespace {

/// Throws ConfigError if the model's sources have more than text.
void require_text_alone(const std::string& directory, const models::ArchitectureOptions& arch) {
  if (!arch.vectors.any()) return;
  throw ConfigError("model", fmt::format("{} reads vectors, which heed::Translator does not: `heed translate`, `heed "
                                         "score` and `heed align` take their files",
                                         directory));
}

/// Adds the prefixes. Throws InputError unless there is one prefix per line.
std::vector<translation::SourceLine> with_prefixes(std::span<const std::string> lines,
                                                   std::span<const std::string> prefixes) {
  if (!prefixes.empty() && prefixes.size() != lines.size()) {
    throw InputError(fmt::format("`prefix` has {}, but there {}", counted(std::ssize(prefixes), "item"),
                                 lines.size() == 1 ? "is 1 line" : fmt::format("are {} lines", lines.size())));
  }
  api::require_utf8("prefix", prefixes);
  std::vector<translation::SourceLine> sources;
  for (size_t i = 0; i < lines.size(); ++i) {
    sources.push_back({.text = lines[i], .item = nullptr, .prefix = prefixes.empty() ? "" : prefixes[i]});
  }
  return sources;
}

}  // namespace

Translator::Translator(std::unique_ptr<Model> model) : model_(std::move(model)) {}
Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

Translator Translator::open(const std::string& directory, const OpenOptions& options) {
  auto model = std::make_unique<Model>(directory, options);
  require_text_alone(directory, model->options().arch);
  return Translator(std::move(model));
}

TranslateRequest Translator::usual_request() const {
  TranslateRequest request;
  request.options = model_->options().search;
  return request;
}

std::vector<Translation> Translator::translate(std::span<const std::string> lines) const {
  return translate(lines, usual_request());
}

std::vector<Translation> Translator::translate(std::span<const std::string> lines,
                                               const TranslateRequest& request) const {
  const models::ArchitectureOptions& arch = model_->options().arch;
  api::require_purpose(api::Purpose::Translation, model_->directory(), arch);
  api::require_utf8(api::kLines, lines);
  const std::vector<translation::SourceLine> sources = with_prefixes(lines, request.prefix);
  search::SearchOptions search = request.options.search;
  api::prepare_search(request.constraints, search);
  api::require_whole_vocabulary(model_->engine(), search);
  search::ReturnOptions keep = api::kept_for(request.constraints, arch);
  keep.token_scores |= request.keep.token_scores;
  keep.attention |= request.keep.attention;
  const std::shared_ptr<void> threads = model_->borrow_threads();
  translation::Translator translator(model_->translating(), model_->tokenizers(), search, request.options.translator,
                                     keep);
  api::set_splitting(translator, request.split, model_->directory());
  api::constrain(translator, request.constraints, search, model_->tokenizers());
  return translator.translate(sources, request.on_progress);
}

std::vector<ScoredTranslation> Translator::score(std::span<const std::string> sources,
                                                 std::span<const std::string> targets) const {
  const models::ArchitectureOptions& arch = model_->options().arch;
  const api::Purpose purpose = api::purpose_of(arch);
  if (purpose == api::Purpose::Prediction) {
    api::require_purpose(api::Purpose::Translation, model_->directory(), arch);
  }
  api::require_pairs(sources, targets, /*has_sources=*/purpose != api::Purpose::LanguageModel);
  const std::shared_ptr<void> threads = model_->borrow_threads();
  return model_->torch("a score").score(sources, targets);
}

std::vector<Alignment> Translator::align(std::span<const std::string> sources, std::span<const std::string> targets,
                                         const translation::AlignerOptions& options) const {
  api::require_purpose(api::Purpose::Translation, model_->directory(), model_->options().arch);
  api::require_pairs(sources, targets, /*has_sources=*/true);
  const std::shared_ptr<void> threads = model_->borrow_threads();
  return model_->torch("an alignment").align(sources, targets, options);
}

const text::Tokenizers& Translator::tokenizers() const { return model_->tokenizers(); }

}  // namespace heed
