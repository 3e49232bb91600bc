#include "heed/search/places.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::search {

namespace {

/// log(share of attention on the source, averaged over these rows).
double log_share(const SourceSpan& source, std::span<const std::span<const float>> rows) {
  double share = 0;
  for (const std::span<const float> row : rows) {
    const auto own = row.subspan(source.begin, source.end - source.begin);
    share += std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(rows.size());
  }
  return std::log(std::clamp(share, kMinAttentionShare, 1.0));
}

}  // namespace

double phrase_attention_penalty(const SentenceConstraints& constraints,
                                std::span<const std::span<const float>> attention, const PhraseProgress& before,
                                const PhraseProgress& after) {
  double penalty = 0;
  for (size_t phrase = 0; phrase < constraints.required.size(); ++phrase) {
    const SourceSpan source = constraints.required[phrase].source;
    const size_t was = before.met_length(phrase), now = after.met_length(phrase);
    if (was == now || source.begin == source.end) continue;
    if (source.end > attention.back().size()) continue;  // the source was truncated
    if (now > 0) penalty += log_share(source, attention.last(now));
    if (was > 0) penalty -= log_share(source, attention.first(attention.size() - 1).last(was));
  }
  return penalty;
}

}  // namespace heed::search
