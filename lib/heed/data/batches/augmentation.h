// Data augmentation: in each epoch some pairs are changed before they are encoded (text/perturbation.h), so that the
// model is robust to such changes. A pair of epoch e is a function of (seed, e, pair), whatever the number of threads
// and ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heed/data/batches/window_plan.h"
#include "heed/data/encoded/encoded_pairs.h"
#include "heed/text/perturbation.h"

namespace heed::data {

/// Thread-safe.
class Augmentation {
 public:
  /// No pair is changed.
  Augmentation() = default;
  /// rates: KIND=RATE. Throws ConfigError, about data.augment.
  explicit Augmentation(std::span<const std::string> rates);

  bool any() const { return !rates_.empty(); }
  /// The changed text of a pair; absent if it stays as it is. Each kind is chosen by itself, with its rate. window: the
  /// pairs among which the next one follows that Perturbation::Join adds; the first follows the last.
  std::optional<text::PairText> changed(int64_t pair, const EncodedPairs& from, const Window& window, uint64_t seed,
                                        int64_t epoch) const;

 private:
  std::vector<text::PerturbationRate> rates_;
};

}  // namespace heed::data
