// The metrics in sacreBLEU's arguments.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluate/sacrebleu/sacrebleu_arguments.h"
#include "evaluate/sacrebleu/sacrebleu_messages.h"
#include "heed/metrics/metric.h"

namespace heed::apps {

struct SacreBleuMetric {
  std::string argument;  ///< "bleu", "chrf", "ter"
  std::unique_ptr<const metrics::Metric> metric;
};

/// Each metric once, in the order of the arguments.
std::vector<SacreBleuMetric> make_sacrebleu_metrics(const SacreBleuArguments& arguments,
                                                    const SacreBleuMessages& messages);

}  // namespace heed::apps
