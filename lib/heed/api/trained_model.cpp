#include "heed/api/trained_model.h"

#include <future>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "heed/core/allocation.h"
#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/parallel.h"
#include "heed/core/text/shell_word.h"
#include "heed/engine/engine.h"
#include "heed/model_directory/described_model.h"
#include "heed/model_directory/manifest.h"
#include "heed/model_directory/published.h"
#include "heed/text/short_list.h"
#include "heed/translation/engine_model.h"

namespace heed::api {
namespace {

bool exists(const char* path) { return access(path, F_OK) == 0; }

/// Whether the device is the CPU. Without LibTorch, `auto` may be a GPU only where a driver has made its files.
bool is_cpu(const std::string& device) {
  if (const auto backend = registered_backend()) return backend->is_cpu(device);
  const bool has_driver = exists("/dev/nvidiactl") || exists("/dev/nvidia0") || exists("/dev/dxg");  // the last: WSL
  return device == "cpu" || (device == "auto" && !has_driver);
}

std::shared_ptr<const text::ShortList> open_short_list(const std::string& model, const models::VocabularySizes& sizes) {
  const std::string path = model + "/" + text::kShortListFile;
  if (!path_exists(path)) {
    throw ConfigError("--shortlist", fmt::format("needs a shortlist, which {} does not have: `heed shortlist --model "
                                                 "{}` makes one",
                                                 model, shell_path(model)));
  }
  return std::make_shared<const text::ShortList>(path, sizes.source, sizes.target);
}

/// The description of a finished model; absent: none is finished. Files that are damaged are reported as such, whatever
/// reading them throws.
std::optional<config::DescribedModel> describe_finished(const std::string& directory) {
  return checkpoint::read_consistently(directory, [&]() -> std::optional<config::DescribedModel> {
    if (!checkpoint::finished_model(directory, checkpoint::Verify::Sizes)) return std::nullopt;
    try {
      return config::read_described_model(directory);
    } catch (const Error&) {
      checkpoint::finished_model(directory);
      throw;
    }
  });
}

/// Returns what `open` returns. With several threads, `verify` runs at the same time in another thread, because the
/// checksums take as long as packing the weights. An exception of `verify` takes precedence over one of `open`.
template <class Open, class Verify>
auto while_verified(int64_t threads, const Verify& verify, const Open& open) {
  auto verified = std::async(threads > 1 ? std::launch::async : std::launch::deferred, verify);
  try {
    auto opened = open();
    verified.get();
    return opened;
  } catch (...) {
    if (verified.valid()) verified.get();
    throw;
  }
}

}  // namespace

TrainedModel::TrainedModel(std::string directory, OpenOptions options)
    : directory_(std::move(directory)), open_(std::move(options)), on_cpu_(is_cpu(open_.device)) {
  if (on_cpu_ && open_.checkpoint.empty() && describe()) return;
  const TorchModel& found = torch(reason_for_torch());
  options_ = found.options();
  tokenizers_ = found.tokenizers();
}

bool TrainedModel::describe() {
  publication_ = checkpoint::publication(directory_);
  auto described = describe_finished(directory_);
  if (!described) return false;
  options_ = described->options;
  tokenizers_ = std::move(described->tokenizers);
  return true;
}

std::string TrainedModel::reason_for_torch() const {
  if (!on_cpu_ && open_.device == "auto") return "the device `auto`, which is a GPU if there is one,";
  if (!on_cpu_) return fmt::format("the device `{}`", open_.device);
  if (open_.checkpoint.empty()) return "a model that is not finished";
  return fmt::format("the checkpoint `{}`", open_.checkpoint);
}

void TrainedModel::verify() {
  if (!torch_ && !verified_) {
    checkpoint::read_consistently(directory_, [this] { return checkpoint::finished_model(directory_); });
  }
  verified_ = true;
}

TorchModel& TrainedModel::torch(std::string_view what) {
  if (torch_) return *torch_;
  const auto backend = registered_backend();
  if (!backend) {
    throw NeedsTorch(
        fmt::format("{}: {} needs LibTorch: link heed::heed_torch and call heed::use_torch()", directory_, what));
  }
  torch_ = backend->find(directory_, open_);
  return *torch_;
}

std::shared_ptr<const translation::TranslationModel> TrainedModel::translation_model(const FurtherModels& further) {
  const auto refusal = engine_refusal(on_cpu_, options_.arch, further);
  if (!refusal) return on_engine();
  require_trained_precision(open_.engine.precision, *refusal);
  if (open_.engine.short_list) throw ConfigError("--shortlist", *refusal);
  return torch("the model").translation_model(further);
}

std::shared_ptr<const translation::TranslationModel> TrainedModel::on_engine() {
  std::shared_ptr<const translation::TranslationModel> model;
  if (torch_) {
    torch_->read_parameters([&](const std::string& parameters) { model = pack(parameters); });
    return model;
  }
  const auto verify = [this] {
    if (!verified_) checkpoint::finished_model(directory_);
  };
  model = checkpoint::read_consistently(directory_, [&] {
    // Threads share a model that was verified when it was opened: its description stays.
    if (!verified_ && checkpoint::publication(directory_) != publication_) describe();
    return while_verified(threads_of(open_.engine.threads), verify,
                          [&] { return pack(directory_ + "/" + checkpoint::kPublishedModel); });
  });
  verified_ = true;
  return model;
}

std::shared_ptr<const translation::TranslationModel> TrainedModel::pack(const std::string& parameters) const {
  keep_freed_memory();
  use_huge_pages(size_of_file(parameters));  // packed weights are read completely at every decoding
                                             // step
  const models::VocabularySizes sizes = config::vocabulary_sizes(tokenizers_);
  const int64_t threads = threads_of(open_.engine.threads);
  const auto engine = std::make_shared<const engine::Engine>(options_.arch, sizes, parameters,
                                                             engine::precision_of(open_.engine.precision), threads);
  std::shared_ptr<const text::ShortList> short_list;
  if (open_.engine.short_list) short_list = open_short_list(directory_, sizes);
  return std::make_shared<translation::EngineModel>(engine, threads, short_list);
}

std::optional<std::string> engine_refusal(bool on_cpu, const models::ArchitectureOptions& arch,
                                          const FurtherModels& further) {
  if (!on_cpu) return "works on a CPU only";
  if (!further.ensemble.empty()) return "does not go with `--ensemble`";
  if (!further.language_model.empty()) return "does not go with `--language-model`";
  if (const auto part = engine::Engine::refuses(arch)) return "does not work with " + *part;
  return std::nullopt;
}

void require_trained_precision(engine::PrecisionChoice precision, const std::string& why) {
  if (precision == engine::PrecisionChoice::Float32 || precision == engine::PrecisionChoice::Auto) return;
  throw ConfigError("--precision", "other than fp32 " + why);
}

void require_whole_vocabulary(const EngineOptions& engine, const search::SearchOptions& search) {
  if (!engine.short_list || std::holds_alternative<search::BeamMethod>(search.method)) return;
  throw ConfigError("--shortlist",
                    "needs beam search: tokens are sampled from the whole vocabulary; `search.method` is sample");
}

int64_t threads_of(int64_t asked) { return asked > 0 ? asked : available_cores(); }

void set_splitting(translation::Translator& translator, translation::SplitRule rule, const std::string& directory) {
  std::optional<int64_t> usual;
  if (rule == translation::SplitRule::Auto) usual = checkpoint::read_manifest(directory).usual_source_length;
  translator.split(rule, usual);
}

}  // namespace heed::api
