#include "make/time_plan.h"

#include <algorithm>

namespace heed::apps::make {
namespace {

// Measured with models of the table on two cores: a beam of 5 translates a third of the tokens that a training step
// reads in the same time, greedy search the same number.
constexpr double kBeamSpeed = 0.33, kGreedySpeed = 1;
constexpr double kProgramStart = 1.5;     // seconds
constexpr double kPairsEncoded = 20'000;  // per second, with the tokenizers' learning
constexpr int kPenalties = 3;

}  // namespace

double measuring_seconds(double all) { return std::clamp(all / 100, 2.0, 10.0); }

double seconds_after_training(int64_t lines, double tokens_per_line, double tokens_per_second) {
  const double tokens = static_cast<double>(lines) * tokens_per_line;
  return 8 * kProgramStart + (kPenalties + 1) / 2.0 * tokens / (kBeamSpeed * tokens_per_second);
}

double validation_seconds(int64_t lines, double tokens_per_line, double tokens_per_second) {
  return static_cast<double>(lines) * tokens_per_line / (kGreedySpeed * tokens_per_second);
}

double start_seconds(int64_t pairs) { return 2 * kProgramStart + static_cast<double>(pairs) / kPairsEncoded; }

}  // namespace heed::apps::make
