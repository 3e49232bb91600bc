#include "heed/data/batches/batch_growth.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heed::data {

int64_t grown_step_tokens(const SentenceContext& options, double epochs) {
  if (epochs >= options.growth_epochs) return options.step_tokens;
  const auto last = static_cast<double>(options.step_tokens);
  const double first = options.initial_step_tokens ? static_cast<double>(*options.initial_step_tokens) : last / 4;
  return std::max<int64_t>(1, std::llround(first + (last - first) * epochs / options.growth_epochs));
}

Curriculum::Curriculum(const EncodedCorpus& corpus, double epochs) : epochs_(epochs) {
  if (epochs == 0) return;
  for (int64_t pair = 0; pair < corpus.size(); ++pair) {
    const auto of_pair = static_cast<size_t>(length(corpus, pair));
    if (of_pair >= pairs_up_to_.size()) pairs_up_to_.resize(of_pair + 1);
    ++pairs_up_to_[of_pair];
  }
  std::partial_sum(pairs_up_to_.begin(), pairs_up_to_.end(), pairs_up_to_.begin());
}

int64_t Curriculum::longest(double epochs) const {
  constexpr double kInitial = 0.01;
  if (epochs >= epochs_) return std::numeric_limits<int64_t>::max();
  const double competence = std::sqrt(epochs / epochs_ * (1 - kInitial * kInitial) + kInitial * kInitial);
  const auto pairs = static_cast<int64_t>(std::ceil(competence * static_cast<double>(pairs_up_to_.back())));
  return std::ranges::lower_bound(pairs_up_to_, pairs) - pairs_up_to_.begin();
}

int64_t Curriculum::length(const EncodedPairs& from, int64_t pair) {
  return from.has_source() || from.vectors() != nullptr ? from.source_length(pair) : from.target_length(pair);
}

}  // namespace heed::data
