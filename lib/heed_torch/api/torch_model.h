// A trained model that LibTorch runs, for commands and for heed::Translator (use_torch.h).
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include <c10/core/Device.h>

#include "heed/api/torch_backend.h"
#include "heed/engine/engine.h"
#include "heed_torch/config/model_directory.h"

namespace heed::api {

struct OpenedTorchModel {
  at::Device device;
  config::OpenedModel opened;
};

/// The inference engine for the model's scores, in the requested precision. Null if the engine cannot run
/// the model and the precision is float32. Throws ConfigError, FileError, CheckpointError.
std::shared_ptr<const engine::Engine> engine_of(const OpenedTorchModel& model, engine::PrecisionChoice precision);

class LoadedTorchModel : public TorchModel {
 public:
  /// Throws CheckpointError, FileError, ConfigError.
  LoadedTorchModel(const std::string& directory, OpenOptions options, at::Device device);

  const config::ModelOptions& options() const override { return used_.opened.options; }
  const text::Tokenizers& tokenizers() const override { return used_.opened.tokenizers; }
  void read_parameters(const std::function<void(const std::string& file)>& read) override;
  std::shared_ptr<const translation::TranslationModel> translation_model(const FurtherModels& further) override;
  std::shared_ptr<const translation::AttentionReader> attention(const translation::AttentionSelection& shown,
                                                                std::string_view prefix) override;
  std::vector<translation::ScoredTranslation> score(std::span<const std::string> sources,
                                                    std::span<const std::string> targets) override;
  std::vector<text::Alignment> align(std::span<const std::string> sources, std::span<const std::string> targets,
                                     const translation::AlignerOptions& options) override;

  /// Reads the parameters at the first call.
  const OpenedTorchModel& loaded();

 private:
  std::shared_ptr<const engine::Engine> scoring_engine();

  OpenOptions open_;
  std::mutex mutex_;
  OpenedTorchModel used_;
  std::shared_ptr<const engine::Engine> scoring_engine_;
};

}  // namespace heed::api
