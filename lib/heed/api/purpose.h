// The purpose of a model.
#pragma once

#include <string>

#include "heed/architecture/architecture.h"

namespace heed::api {

enum class Purpose { Translation, LanguageModel, Prediction };
Purpose purpose_of(const models::ArchitectureOptions& arch);

/// Throws ConfigError, about `option`, unless the model in `directory` has this purpose. The message says how to use
/// the model.
void require_purpose(Purpose wanted, const std::string& directory, const models::ArchitectureOptions& arch,
                     const std::string& option = "model");

}  // namespace heed::api
