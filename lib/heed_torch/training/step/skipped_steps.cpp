#include "heed_torch/training/step/skipped_steps.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"

namespace heed::training {
namespace {

/// The lines of the micro-batches whose loss is not finite; all lines if only the gradient is not finite.
std::vector<int64_t> lines_at_fault(const data::StepBatch& step, const StepResult& computed) {
  std::vector<int64_t> lines;
  for (size_t micro_batch = 0; micro_batch < step.micro_batches.size(); ++micro_batch) {
    const bool bad = std::ranges::find(computed.bad_micro_batches, micro_batch) != computed.bad_micro_batches.end();
    if (!computed.bad_micro_batches.empty() && !bad) continue;
    lines.insert(lines.end(), step.micro_batches[micro_batch].lines.begin(),
                 step.micro_batches[micro_batch].lines.end());
  }
  return lines;
}

/// "train.de:5, train.de:18 and 30 more (first target: a house)"
std::string name_pairs(const std::vector<int64_t>& lines, const data::EncodedPairs& from) {
  constexpr size_t kShown = 10;
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(kShown, lines.size()); ++i) shown.push_back(from.place(lines[i]));
  const std::string more = lines.size() > kShown ? fmt::format(" and {} more", lines.size() - kShown) : "";
  return fmt::format("{}{} (first target: {})", fmt::join(shown, ", "), more, from.text(lines.front()).target);
}

}  // namespace

std::string SkippedSteps::bad(int64_t number, const data::StepBatch& step, const StepResult& computed,
                              const data::EncodedPairs& from) {
  ++state_.skipped;
  ++state_.bad_in_a_row;
  std::string what =
      fmt::format("the {} of step {} is not finite, in {}", computed.bad_micro_batches.empty() ? "gradient" : "loss",
                  number, name_pairs(lines_at_fault(step, computed), from));
  if (state_.bad_in_a_row < max_in_a_row_) return what;
  throw Error(
      fmt::format("{}, and so it was in {} steps in a row: training has diverged; lower the learning rate, "
                  "lengthen the warm-up or look at these pairs; the last good checkpoint is kept",
                  what, state_.bad_in_a_row));
}

}  // namespace heed::training
