#include "heed_torch/api/torch_model.h"

#include <utility>

#include "heed/api/given_lines.h"
#include "heed/api/purpose.h"
#include "heed/api/trained_model.h"
#include "heed/core/error.h"
#include "heed_torch/api/use_torch.h"
#include "heed_torch/config/device.h"
#include "heed_torch/translation/aligner.h"
#include "heed_torch/translation/ensemble_model.h"
#include "heed_torch/translation/forced_attention.h"
#include "heed_torch/translation/lines/line_length.h"
#include "heed_torch/translation/scorer.h"

namespace heed::api {
namespace {

/// Opens another model for the search. Throws ConfigError if `option` has an empty name, or the model has another
/// purpose.
config::OpenedModel open_further(const std::string& directory, at::Device device, Purpose purpose,
                                 const std::string& option) {
  if (directory.empty()) throw ConfigError("--" + option, "must name directories of models, but one name is empty");
  config::OpenedModel opened = config::open_model(directory, /*checkpoint=*/"", device);
  require_purpose(purpose, directory, opened.options.arch, option);
  return opened;
}

/// Returns the result of `work` on pairs. Turns LineTooLong into an InputError with the number of the line.
template <class Work>
auto on_pairs(const Work& work) {
  try {
    return work();
  } catch (const translation::LineTooLong& error) {
    const bool source = error.side() == translation::LineTooLong::Side::Source;
    throw InputError(source ? kSources : kTargets, static_cast<int64_t>(error.pair()) + 1, error.what());
  }
}

class LibTorch : public TorchBackend {
 public:
  bool is_cpu(const std::string& device) const override { return config::pick_device(device).is_cpu(); }
  std::unique_ptr<TorchModel> find(const std::string& directory, const OpenOptions& options) const override {
    return std::make_unique<LoadedTorchModel>(directory, options, config::pick_device(options.device));
  }
  std::shared_ptr<void> borrow_threads(int64_t threads) const override {
    return std::make_shared<config::ScopedThreads>(threads);
  }
};

}  // namespace

std::shared_ptr<const engine::Engine> engine_of(const OpenedTorchModel& model, engine::PrecisionChoice precision) {
  config::OpenedModel opened = model.opened;
  if (const auto why = engine_refusal(model.device.is_cpu(), opened.options.arch)) {
    require_trained_precision(precision, *why);
    return nullptr;
  }
  return config::read_parameters(opened, [&](const std::string& parameters) {
    return std::make_shared<const engine::Engine>(opened.options.arch, config::vocabulary_sizes(opened.tokenizers),
                                                  parameters, engine::precision_of(precision));
  });
}

LoadedTorchModel::LoadedTorchModel(const std::string& directory, OpenOptions options, at::Device device)
    : open_(std::move(options)), used_{.device = device, .opened = config::find_model(directory, open_.checkpoint)} {}

void LoadedTorchModel::read_parameters(const std::function<void(const std::string& file)>& read) {
  config::OpenedModel opened;
  {
    const std::scoped_lock lock(mutex_);
    opened = used_.opened;
  }
  config::read_parameters(opened, read);
}

const OpenedTorchModel& LoadedTorchModel::loaded() {
  const std::scoped_lock lock(mutex_);
  if (!used_.opened.model) config::load_model(used_.opened, used_.device);
  return used_;
}

std::shared_ptr<const translation::TranslationModel> LoadedTorchModel::translation_model(const FurtherModels& further) {
  const auto model = std::make_shared<translation::EnsembleModel>(loaded().opened.model, used_.device);
  for (const std::string& directory : further.ensemble) {
    const config::OpenedModel opened = open_further(directory, used_.device, Purpose::Translation, "ensemble");
    model->add_model(opened.model, opened.tokenizers, tokenizers(), "ensemble " + directory);
  }
  model->weigh(further.ensemble_weights);
  if (!further.language_model.empty()) {
    const config::OpenedModel opened =
        open_further(further.language_model, used_.device, Purpose::LanguageModel, "language-model");
    model->fuse({.model = opened.model, .tokenizer = opened.tokenizers.target, .weight = further.language_model_weight},
                tokenizers());
  }
  return model;
}

std::shared_ptr<const translation::AttentionReader> LoadedTorchModel::attention(
    const translation::AttentionSelection& shown, std::string_view prefix) {
  return std::make_shared<translation::ForcedAttention>(loaded().opened.model, used_.device, shown, prefix);
}

std::vector<translation::ScoredTranslation> LoadedTorchModel::score(std::span<const std::string> sources,
                                                                    std::span<const std::string> targets) {
  translation::Scorer scorer(loaded().opened.model, tokenizers(), {}, used_.device);
  if (const auto engine = scoring_engine()) scorer.use_engine(engine);
  return on_pairs([&] { return scorer.score(sources, targets); });
}

std::vector<text::Alignment> LoadedTorchModel::align(std::span<const std::string> sources,
                                                     std::span<const std::string> targets,
                                                     const translation::AlignerOptions& options) {
  translation::Aligner aligner(loaded().opened.model, tokenizers(), used_.device, options);
  return on_pairs([&] { return aligner.align(sources, targets); });
}

/// Null in float32: LibTorch is faster there, since it computes all positions at once.
std::shared_ptr<const engine::Engine> LoadedTorchModel::scoring_engine() {
  const std::scoped_lock lock(mutex_);
  if (engine::precision_of(open_.engine.precision) == engine::Precision::Float32) return nullptr;
  if (!scoring_engine_) scoring_engine_ = engine_of(used_, open_.engine.precision);
  return scoring_engine_;
}

}  // namespace heed::api

namespace heed {

void use_torch() { api::register_backend(std::make_shared<api::LibTorch>()); }

}  // namespace heed
