// The interface to LibTorch, for what heed::Translator and `heed translate` need beyond the inference engine.
// heed::heed_torch implements it. A program that links that library registers it with heed::use_torch().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/error.h"
#include "heed/engine/common/precision.h"
#include "heed/model_directory/model_options.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/attention_selection.h"
#include "heed/translation/lines/scored_translation.h"
#include "heed/translation/translation_model.h"
#include "heed/translation/translator_options.h"

namespace heed::api {

/// Options of the inference engine.
struct EngineOptions {
  engine::PrecisionChoice precision = engine::PrecisionChoice::Float32;
  int64_t threads = 0;      ///< 0: one for each core
  bool short_list = false;  ///< whether the output is limited to the model's shortlist of tokens
};

/// Which parameters of a model directory are used, and on which device.
struct OpenOptions {
  std::string checkpoint = {};  ///< "" (the finished model), "best", "last", "averaged" or the number of a training
                                ///< step
  std::string device = "auto";  ///< cpu, cuda, cuda:N, or auto for a GPU if there is one
  EngineOptions engine = {};    ///< on a CPU: threads (also for scores), precision, shortlist
};

/// Models that are combined with the first one in the search.
struct FurtherModels {
  std::vector<std::string> ensemble = {};     ///< their directories
  std::vector<double> ensemble_weights = {};  ///< of the first model and these; none: all equal
  std::string language_model = {};            ///< the directory of a language model; empty: none
  double language_model_weight = translation::kFusionWeight;
};

/// A model that LibTorch runs. Its parameters are read at the first use.
class TorchModel {
 public:
  virtual ~TorchModel() = default;
  virtual const config::ModelOptions& options() const = 0;
  virtual const text::Tokenizers& tokenizers() const = 0;

  /// Calls `read` with the file of the parameters, and calls it again if a training replaced the file meanwhile.
  virtual void read_parameters(const std::function<void(const std::string& file)>& read) = 0;
  /// Throws ConfigError if the models do not fit together.
  virtual std::shared_ptr<const translation::TranslationModel> translation_model(const FurtherModels& further) = 0;
  /// prefix: for the options' names in messages. Throws ConfigError if the model does not have this attention.
  virtual std::shared_ptr<const translation::AttentionReader> attention(const translation::AttentionSelection& shown,
                                                                        std::string_view prefix) = 0;
  /// See heed::Translator.
  virtual std::vector<translation::ScoredTranslation> score(std::span<const std::string> sources,
                                                            std::span<const std::string> targets) = 0;
  virtual std::vector<text::Alignment> align(std::span<const std::string> sources, std::span<const std::string> targets,
                                             const translation::AlignerOptions& options) = 0;
};

class TorchBackend {
 public:
  virtual ~TorchBackend() = default;
  /// Whether the device is the CPU. Throws ConfigError for a device that does not exist.
  virtual bool is_cpu(const std::string& device) const = 0;
  /// Reads all of a model directory except the parameters. Throws CheckpointError, FileError, ConfigError.
  virtual std::unique_ptr<TorchModel> find(const std::string& directory, const OpenOptions& options) const = 0;
  /// Sets the number of LibTorch's threads (0: one for each core) until the result is destroyed.
  virtual std::shared_ptr<void> borrow_threads(int64_t threads) const = 0;
};

/// Registers the backend for this process.
void register_backend(std::shared_ptr<const TorchBackend> backend);
/// The registered backend, or null.
std::shared_ptr<const TorchBackend> registered_backend();

/// The caller asked for something that needs LibTorch, but this process has no backend.
class NeedsTorch : public Error {
 public:
  using Error::Error;
};

}  // namespace heed::api
