#include "heed/search/rules/places.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::search {

double place_penalty(const Demands& demands, std::span<const std::span<const float>> attention,
                     const PhraseProgress& before, const PhraseProgress& after) {
  double penalty = 0;
  for (size_t phrase = 0; phrase < demands.required.size(); ++phrase) {
    const SourceSpan source = demands.required[phrase].source;
    const size_t length = after.met_length(phrase);
    if (source.begin == source.end || length == 0 || before.met_length(phrase) > 0) continue;
    if (source.end > attention.back().size()) continue;  // a source of which some was left out
    double share = 0;
    for (const std::span<const float> row : attention.last(length)) {
      const auto own = row.subspan(source.begin, source.end - source.begin);
      share += std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(length);
    }
    penalty += std::log(std::clamp(share, kLeastPlace, 1.0));
  }
  return penalty;
}

}  // namespace heed::search
