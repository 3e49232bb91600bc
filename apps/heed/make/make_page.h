// The page of `heed make`: what it did, why, the scores, translations, and what more text or time would bring.
#pragma once

#include <string>

#include "make/make_options.h"
#include "make/make_record.h"
#include "make/stage_commands.h"

namespace heed::apps::make {

struct MakeResult {
  const MakeOptions& options;
  const MakeInput& input;
  MakeRecord& record;
  const StageCommands& commands;
};

/// HTML: one file, without scripts. Throws FileError.
std::string make_page(const MakeResult& result);

}  // namespace heed::apps::make
