// `heed translate`, on the engine where that does what is asked for: no LibTorch is loaded then.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "heed/api/engine_road.h"
#include "heed/config/command_line/command.h"
#include "heed/models/architecture.h"
#include "heed/translation/translation_model.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// How a program translates what the engine does not, with tensors.
struct TensorRoad {
  /// Whether this device, as --device names it, is known to be the CPU.
  std::function<bool(const std::string& device)> is_cpu;
  /// command: read before the model is open.
  std::function<int(TranslateCommand& command, const config::Arguments& given)> translate;
};
config::Command translate_command(TensorRoad tensors);

/// What keeps a model on the CPU from computing on the engine; absent: nothing.
std::optional<std::string> no_engine(const TranslateCommand& command, const models::ArchitectureOptions& arch);

/// How the engine computes for a command.
api::EngineUse engine_use(const TranslateCommand& command);

/// The model on the engine. parameters: its file. Throws FileError, CheckpointError.
std::shared_ptr<const translation::TranslationModel> on_engine(const TranslateCommand& command,
                                                               const config::ModelOptions& options,
                                                               const text::Tokenizers& tokenizers,
                                                               const std::string& parameters);

}  // namespace heed::apps
