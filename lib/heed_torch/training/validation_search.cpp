#include "heed_torch/training/validation_search.h"

namespace heed::training {

search::SearchOptions validation_search(search::SearchOptions options, int64_t beam) {
  const search::SearchOptions defaults;
  options.method = search::BeamMethod{};
  options.beam = beam;
  options.n_best = 1;
  options.groups = defaults.groups;
  options.diversity = defaults.diversity;
  return options;
}

}  // namespace heed::training
