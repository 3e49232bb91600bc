// Reads references and systems exactly as sacreBLEU 2.6 does: the same line ends, TAB-separated fields, and no trailing
// white space.
#pragma once

#include <string>
#include <vector>

#include "evaluate/sacrebleu/sacrebleu_arguments.h"
#include "evaluate/sacrebleu/sacrebleu_messages.h"

namespace heed::apps {

struct System {
  std::string name;
  std::vector<std::string> lines;
};

/// The lines of each reference.
std::vector<std::vector<std::string>> read_sacrebleu_references(const SacreBleuArguments& arguments,
                                                                const SacreBleuMessages& messages);
std::vector<System> read_sacrebleu_systems(const SacreBleuArguments& arguments, const SacreBleuMessages& messages);

}  // namespace heed::apps
