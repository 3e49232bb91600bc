// References, systems and metrics as sacreBLEU 2.6 reads them: the same line ends, TAB-separated fields, no trailing
// white space, the same default tokenizers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluate/sacrebleu/sacrebleu_arguments.h"
#include "evaluate/sacrebleu/sacrebleu_messages.h"
#include "heed/metrics/metric.h"

namespace heed::apps {

struct Systems {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> lines;  ///< of each system
};

/// The lines of each reference.
std::vector<std::vector<std::string>> read_sacrebleu_references(const SacreBleuArguments& arguments,
                                                                const SacreBleuMessages& messages);
Systems read_sacrebleu_systems(const SacreBleuArguments& arguments, const SacreBleuMessages& messages);
/// names: "bleu", "chrf", "ter".
std::vector<std::unique_ptr<const metrics::Metric>> make_sacrebleu_metrics(const SacreBleuArguments& arguments,
                                                                           const std::vector<std::string>& names,
                                                                           const SacreBleuMessages& messages);

}  // namespace heed::apps
