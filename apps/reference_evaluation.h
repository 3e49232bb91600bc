// `heed evaluate --reference`: scores in heed's own grammar, one line of text for each.
#pragma once

#include <string>
#include <vector>

#include "evaluate_options.h"

namespace heed::apps {

/// The report on the files of translations. Throws ConfigError for options that do not go together.
std::string evaluate_with_references(const EvaluateOptions& options, const std::vector<std::string>& systems);

}  // namespace heed::apps
