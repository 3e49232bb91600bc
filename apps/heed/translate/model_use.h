// The options that select a trained model, without LibTorch.
#pragma once

#include <cstdint>
#include <string>

#include "heed/core/files/line_reader.h"
#include "heed/core/options.h"
#include "heed/engine/common/precision.h"

namespace heed::apps {

/// Which model a command uses, on which device, and how it reads text.
struct ModelUse {
  std::string model;
  std::string checkpoint;
  std::string device = "auto";
  int64_t threads = 0;
  InvalidText invalid_text = InvalidText::Fail;
};
void describe(ModelUse& options, OptionVisitor& visit);
/// All options except the model: for commands with several models, or with other option names for them.
void describe_computation(ModelUse& options, OptionVisitor& visit);

/// `precision`, for commands that use the inference engine.
void describe_precision(engine::PrecisionChoice& precision, OptionVisitor& visit);

/// Throws ConfigError if no model is named.
void require_model(const ModelUse& options);

}  // namespace heed::apps
