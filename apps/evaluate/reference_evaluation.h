// `heed evaluate --reference`: scores with heed's own options, one line of text for each score.
#pragma once

#include <string>

#include "evaluate/evaluate_options.h"
#include "heed/config/command_line/command.h"

namespace heed::apps {

/// The report on the files of translations, those of `arguments` that stand alone. Throws ConfigError for options that
/// do not go together; arguments: what `options` were read from.
std::string evaluate_with_references(const EvaluateOptions& options, const config::Arguments& arguments);

}  // namespace heed::apps
