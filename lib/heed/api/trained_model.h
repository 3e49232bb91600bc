// A trained model in its directory, as heed::Translator and `heed translate` compute with it. This is the one place
// that chooses between the inference engine and LibTorch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "heed/api/torch_backend.h"
#include "heed/architecture/architecture.h"
#include "heed/model_directory/model_options.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/translation_model.h"
#include "heed/translation/translator.h"

namespace heed::api {

class TrainedModel {
 public:
  /// Reads all of the directory except the parameters. Throws CheckpointError, FileError, ConfigError; NeedsTorch.
  TrainedModel(std::string directory, OpenOptions options);

  const std::string& directory() const { return directory_; }
  const config::ModelOptions& options() const { return options_; }
  const text::Tokenizers& tokenizers() const { return tokenizers_; }

  /// Checks the checksums of all files, unless they were checked when the directory was read. Throws CheckpointError.
  void verify();
  /// The model on the inference engine if that supports it, else on LibTorch. Checks the checksums at the same time,
  /// unless they were checked before. Throws CheckpointError, FileError, ConfigError; NeedsTorch.
  /// If a training published into the directory since it was read and verify() was not called, options() and
  /// tokenizers() are read again: ask for them afterwards.
  std::shared_ptr<const translation::TranslationModel> translation_model(const FurtherModels& further = {});
  /// The model on LibTorch. what: what needs LibTorch, for the message. Throws what TorchBackend::find throws;
  /// NeedsTorch.
  TorchModel& torch(std::string_view what);

 private:
  /// Reads the description of the finished model; false: none is finished.
  bool describe();
  /// Why the constructor needs LibTorch.
  std::string reason_for_torch() const;
  std::shared_ptr<const translation::TranslationModel> on_engine();
  std::shared_ptr<const translation::TranslationModel> pack(const std::string& parameters) const;

  std::string directory_;
  OpenOptions open_;
  bool on_cpu_;
  bool verified_ = false;
  std::string publication_;  // of the directory when its description was read
  config::ModelOptions options_;
  text::Tokenizers tokenizers_;
  std::unique_ptr<TorchModel> torch_;  // null: not opened yet
};

/// Why the engine cannot run a model, as the end of a sentence; absent if it can. on_cpu: whether the device is the
/// CPU.
std::optional<std::string> engine_refusal(bool on_cpu, const models::ArchitectureOptions& arch,
                                          const FurtherModels& further = {});
/// Throws ConfigError, "`--precision` other than fp32 WHY", if only the engine has this precision.
void require_trained_precision(engine::PrecisionChoice precision, const std::string& why);

/// Throws ConfigError if tokens are sampled and a shortlist limits them.
void require_whole_vocabulary(const EngineOptions& engine, const search::SearchOptions& search);

/// The number of threads for the option `threads` of a command.
int64_t threads_of(int64_t asked);

/// Splits all further lines by this rule. The usual length is read from `directory`, which has the model. Throws
/// CheckpointError.
void set_splitting(translation::Translator& translator, translation::SplitRule rule, const std::string& directory);

}  // namespace heed::api
