// Small trainings, and what they leave.
#pragma once

#include <map>
#include <string>

#include "heed_torch/config/run_options.h"
#include "options/option_walk.h"
#include "support/temporary_directory.h"

namespace heed::options_test {

/// What a run left, by aspect: "parameters" of the last checkpoint, "reports" of training, "validation", "checkpoints",
/// "final" (how it ended, and which model was chosen), "start", "tokenizers", "log", "error" (and then no other).
using Left = std::map<std::string, std::string>;

/// Trains in `model`, a directory, from the beginning or on.
Left train(const Settings& settings, const std::string& model);

/// Remembers what settings lead to.
class Trainings {
 public:
  /// Trains in a directory that is gone afterwards.
  const Left& of(const Settings& settings);

 private:
  testing::TemporaryDirectory folder_;
  std::map<Settings, Left> known_;
};

}  // namespace heed::options_test
