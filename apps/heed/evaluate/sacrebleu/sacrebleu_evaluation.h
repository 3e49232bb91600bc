// Reads and scores the files in sacreBLEU's arguments and formats the report.
#pragma once

#include <string>

#include "evaluate/sacrebleu/sacrebleu_arguments.h"
#include "evaluate/sacrebleu/sacrebleu_messages.h"

namespace heed::apps {

/// The report, with color codes unless they are disabled. Throws Stop if sacreBLEU would end with an error.
std::string evaluate_as_sacrebleu(const SacreBleuArguments& arguments, const SacreBleuMessages& messages);

}  // namespace heed::apps
