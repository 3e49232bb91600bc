#include "heed_torch/training/frequency_loss.h"

#include <cmath>
#include <map>

#include "heed/data/corpus/batch.h"

namespace heed::training {

std::optional<double> frequency_loss(const data::EncodedCorpus& corpus) {
  if (corpus.target_kind() == text::TargetKind::Numbers) return std::nullopt;
  constexpr double kFewest = 100, kFewestOfEach = 2;
  std::map<int64_t, double> counts;
  double all = 0;
  const auto count = [&](int64_t id) {
    counts[id] += 1;
    all += 1;
  };
  for (int64_t pair = 0; pair < corpus.size(); ++pair) {
    for (const int64_t id : corpus.target_ids(pair)) {
      if (id != data::kNoLabel) count(id);
    }
    if (corpus.target_kind() == text::TargetKind::Text) count(text::kEos);
  }
  const auto kinds = static_cast<double>(counts.size());
  if (kinds < 2 || all < kFewest || all < kFewestOfEach * kinds) return std::nullopt;
  double entropy = 0;
  for (const auto& [id, times] : counts) entropy -= times / all * std::log(times / all);
  return entropy;
}

bool has_learned_little(double loss, double frequency_loss) {
  constexpr double kShare = 0.9;
  return loss > kShare * frequency_loss;
}

}  // namespace heed::training
