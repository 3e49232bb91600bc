// Which trained model a command uses; without torch.
#pragma once

#include <cstdint>
#include <string>

#include "heed/core/files/line_reader.h"
#include "heed/core/options.h"
#include "heed/engine/common/precision.h"

namespace heed::apps {

/// Which model a command uses, on what, and how it reads text.
struct ModelUse {
  std::string model;
  std::string checkpoint;
  std::string device = "auto";
  int64_t threads = 0;
  InvalidText invalid_text = InvalidText::Fail;
};
void describe(ModelUse& options, OptionVisitor& visit);
/// All but the model: of commands that have several, or other names for them.
void describe_computation(ModelUse& options, OptionVisitor& visit);

/// `precision`, of commands that compute on the engine.
void describe_precision(engine::PrecisionChoice& precision, OptionVisitor& visit);

/// Throws ConfigError when no model is named.
void require_model(const ModelUse& options);

}  // namespace heed::apps
