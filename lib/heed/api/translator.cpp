#include "heed/api/translator.h"

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "heed/api/engine_road.h"
#include "heed/api/given_lines.h"
#include "heed/api/purpose.h"
#include "heed/api/used_model.h"
#include "heed/config/device.h"
#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/translation/aligner.h"
#include "heed/translation/lines/line_length.h"
#include "heed/translation/logits_model.h"
#include "heed/translation/scorer.h"

namespace heed {

/// The model, of which what is needed is read when it is first needed.
class Translator::Model {
 public:
  Model(std::string directory, OpenOptions options, at::Device device)
      : directory_(std::move(directory)),
        options_(std::move(options)),
        used_{.device = device, .opened = config::find_model(directory_, options_.checkpoint)} {}

  const std::string& directory() const { return directory_; }
  const OpenOptions& options() const { return options_; }
  const config::OpenedModel& found() const { return used_.opened; }

  const api::UsedModel& with_tensors() {
    const std::scoped_lock lock(mutex_);
    return loaded();
  }

  std::shared_ptr<const translation::TranslationModel> translating() {
    const std::scoped_lock lock(mutex_);
    if (!translating_) translating_ = on_its_road();
    return translating_;
  }

  /// The engine that scores; null: tensors do, which are faster in float32, as all positions are computed at once.
  std::shared_ptr<const engine::Engine> scoring() {
    const std::scoped_lock lock(mutex_);
    if (engine::precision_of(options_.engine.precision) == engine::Precision::Float32) return nullptr;
    if (!scoring_) scoring_ = api::engine_of(used_, options_.engine.precision);
    return scoring_;
  }

 private:
  const api::UsedModel& loaded() {
    if (!used_.opened.model) config::load_model(used_.opened, used_.device);
    return used_;
  }

  std::shared_ptr<const translation::TranslationModel> on_its_road() {
    config::OpenedModel& opened = used_.opened;
    const auto why = api::no_engine(used_.device, opened.options.arch);
    if (!why) {
      return config::read_parameters(opened, [&](const std::string& parameters) {
        return api::on_engine(options_.engine, directory_, opened.options, opened.tokenizers, parameters);
      });
    }
    api::require_no_engine(options_.engine, *why);
    return std::make_shared<translation::LogitsModel>(loaded().opened.model, used_.device);
  }

  std::string directory_;
  OpenOptions options_;
  std::mutex mutex_;
  api::UsedModel used_;
  std::shared_ptr<const translation::TranslationModel> translating_;
  std::shared_ptr<const engine::Engine> scoring_;
};

namespace {

/// Throws ConfigError for a model whose sources are not text alone.
void require_text_alone(const std::string& directory, const models::ArchitectureOptions& arch) {
  if (!arch.vectors.any()) return;
  throw ConfigError("model", fmt::format("{} reads vectors, which heed::Translator does not: `heed translate`, `heed "
                                         "score` and `heed align` take their files",
                                         directory));
}

/// Throws InputError where there is not one prefix for each line.
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

/// What `work` on pairs gives. A line that is too long is an error of the line.
template <class Work>
auto on_pairs(const Work& work) {
  try {
    return work();
  } catch (const translation::LineTooLong& error) {
    const bool source = error.side() == translation::LineTooLong::Side::Source;
    throw InputError(source ? api::kSources : api::kTargets, static_cast<int64_t>(error.pair()) + 1, error.what());
  }
}

}  // namespace

Translator::Translator(std::unique_ptr<Model> model) : model_(std::move(model)) {}
Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

Translator Translator::open(const std::string& directory, const OpenOptions& options) {
  const at::Device device = config::pick_device(options.device);
  auto model = std::make_unique<Model>(directory, options, device);
  require_text_alone(directory, model->found().options.arch);
  return Translator(std::move(model));
}

TranslateRequest Translator::usual_request() const {
  TranslateRequest request;
  request.options = model_->found().options.search;
  return request;
}

std::vector<Translation> Translator::translate(std::span<const std::string> lines) const {
  return translate(lines, usual_request());
}

std::vector<Translation> Translator::translate(std::span<const std::string> lines,
                                               const TranslateRequest& request) const {
  const config::OpenedModel& found = model_->found();
  api::require_purpose(api::Purpose::Translation, model_->directory(), found.options.arch);
  api::require_utf8(api::kLines, lines);
  const std::vector<translation::SourceLine> sources = with_prefixes(lines, request.prefix);
  search::SearchOptions search = request.options.search;
  api::prepare_search(request.constraints, search);
  search::Keep keep = api::kept_for(request.constraints, found.options.arch);
  keep.token_scores |= request.keep.token_scores;
  keep.attention |= request.keep.attention;
  const config::BorrowedThreads threads(model_->options().engine.threads);
  translation::Translator translator(model_->translating(), found.tokenizers, search, request.options.translator, keep);
  api::set_splitting(translator, request.split, model_->directory());
  api::constrain(translator, request.constraints, search, found.tokenizers);
  return translator.translate_all(sources, request.on_progress);
}

std::vector<ScoredTranslation> Translator::score(std::span<const std::string> sources,
                                                 std::span<const std::string> targets) const {
  const models::ArchitectureOptions& arch = model_->found().options.arch;
  const api::Purpose purpose = api::purpose_of(arch);
  if (purpose == api::Purpose::Prediction) {
    api::require_purpose(api::Purpose::Translation, model_->directory(), arch);
  }
  api::require_pairs(sources, targets, /*has_sources=*/purpose != api::Purpose::LanguageModel);
  const api::UsedModel& used = model_->with_tensors();
  const config::BorrowedThreads threads(model_->options().engine.threads);
  translation::Scorer scorer(used.opened.model, used.opened.tokenizers, {}, used.device);
  if (const auto engine = model_->scoring()) scorer.use_engine(engine);
  return on_pairs([&] { return scorer.score(sources, targets); });
}

std::vector<Alignment> Translator::align(std::span<const std::string> sources, std::span<const std::string> targets,
                                         const translation::AlignerOptions& options) const {
  api::require_purpose(api::Purpose::Translation, model_->directory(), model_->found().options.arch);
  api::require_pairs(sources, targets, /*has_sources=*/true);
  const api::UsedModel& used = model_->with_tensors();
  const config::BorrowedThreads threads(model_->options().engine.threads);
  translation::Aligner aligner(used.opened.model, used.opened.tokenizers, used.device, options);
  return on_pairs([&] { return aligner.align(sources, targets); });
}

const text::Tokenizers& Translator::tokenizers() const { return model_->found().tokenizers; }

}  // namespace heed
