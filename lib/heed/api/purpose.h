// What a model is for.
#pragma once

#include <string>

#include "heed/architecture/architecture.h"

namespace heed::api {

enum class Purpose { Translation, LanguageModel, Prediction };
Purpose purpose_of(const models::ArchitectureOptions& arch);

/// Throws ConfigError, about `option`, unless the model in `directory` is for that: it says what to do with it.
void require_purpose(Purpose wanted, const std::string& directory, const models::ArchitectureOptions& arch,
                     const std::string& option = "model");

}  // namespace heed::api
