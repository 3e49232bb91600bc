// Reads references and systems as sacreBLEU 2.6 does: which characters end a line, TAB-separated fields, white space at
// the ends of lines dropped.
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

/// By reference: its lines.
std::vector<std::vector<std::string>> read_sacrebleu_references(const SacreBleuArguments& arguments,
                                                                const SacreBleuMessages& messages);
std::vector<System> read_sacrebleu_systems(const SacreBleuArguments& arguments, const SacreBleuMessages& messages);

}  // namespace heed::apps
