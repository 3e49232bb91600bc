// What the history and the page of a training say about a start: options that are not the preset's, and the machine.
#pragma once

#include "heed/report/json_observer.h"
#include "heed_torch/config/run_options.h"

namespace heed::config {

/// An option counts as changed if the preset gives a training on the same text another value.
report::StartFacts start_facts(const RunOptions& options);

}  // namespace heed::config
