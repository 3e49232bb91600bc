// How a model directory is translated with on the engine, on a CPU and without LibTorch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heed/config/model_options.h"
#include "heed/engine/precision.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/translation_model.h"
#include "heed/translation/translator.h"

namespace heed::api {

/// How the engine computes.
struct EngineUse {
  engine::PrecisionChoice precision = engine::PrecisionChoice::Float32;
  int64_t threads = 0;      ///< 0: one for each core
  bool short_list = false;  ///< whether tokens are chosen among the model's short-list
};

/// What `threads` of a command means.
int64_t threads_of(int64_t asked);

/// The model of `directory` on the engine, which takes it (Engine::refuses). parameters: its file. Throws FileError,
/// CheckpointError; ConfigError where there is no short-list.
std::shared_ptr<const translation::TranslationModel> on_engine(const EngineUse& use, const std::string& directory,
                                                               const config::ModelOptions& options,
                                                               const text::Tokenizers& tokenizers,
                                                               const std::string& parameters);

/// From now on lines are cut by this rule; what is usual is read in `directory`, which has the model. Throws
/// CheckpointError.
void set_splitting(translation::Translator& translator, translation::SplitRule rule, const std::string& directory);

}  // namespace heed::api
