// `heed make --plan`: what the command would do.
#pragma once

#include <string>

#include "make/make_options.h"

namespace heed::apps::make {

std::string plan_text(const MakeOptions& options, const MakeInput& input);

}  // namespace heed::apps::make
