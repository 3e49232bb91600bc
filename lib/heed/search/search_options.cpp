#include "heed/search/search_options.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "heed/core/error.h"

namespace heed::search {

SearchOptions as_groups(SearchOptions options) {
  if (!std::holds_alternative<SampleMethod>(options.method)) return options;
  options.beam = options.groups = options.n_best;
  options.stop = StopAtCount{};
  return options;
}

void validate(const SearchOptions& asked) {
  const SearchOptions options = as_groups(asked);
  if (options.n_best > options.beam) {
    throw ConfigError("search.n-best", "must be at most `search.beam` (" + std::to_string(options.beam) + "), but is " +
                                           std::to_string(options.n_best));
  }
  if (options.beam % options.groups != 0) {
    throw ConfigError("search.groups", "must divide `search.beam` (" + std::to_string(options.beam) + "), but is " +
                                           std::to_string(options.groups));
  }
  if (const auto* stop = std::get_if<StopAtCount>(&options.stop)) {
    const int64_t finished = options.groups * stop_count(*stop, group_size(options));
    if (options.n_best > finished) {
      throw ConfigError("search.patience", "lets a search end with " + std::to_string(finished) +
                                               " hypotheses, fewer than `search.n-best` (" +
                                               std::to_string(options.n_best) + ")");
    }
  }
  if (options.max_length_factor == 0 && options.min_length > options.max_length_constant) {
    throw ConfigError("search.min-length",
                      "must be at most `search.max-length-constant` (" + std::to_string(options.max_length_constant) +
                          ") where `search.max-length-factor` is 0, but is " + std::to_string(options.min_length));
  }
}

int64_t max_length(const SearchOptions& options, int64_t source_length) {
  const double length = options.max_length_factor * static_cast<double>(source_length);
  const auto of_source = static_cast<int64_t>(std::min(length, static_cast<double>(kLongestTranslation)));
  return std::min(of_source + options.max_length_constant, kLongestTranslation);
}

double normalized_score(double log_probability, int64_t length, const SearchOptions& options) {
  const auto tokens = static_cast<double>(length);
  const double rewarded = log_probability + options.word_reward * tokens;
  return std::visit([&](const auto& penalty) { return penalty.score(rewarded, tokens); }, options.length_penalty);
}

int64_t stop_count(const StopAtCount& stop, int64_t size) {
  return std::max<int64_t>(1, std::llround(stop.patience * static_cast<double>(size)));
}

}  // namespace heed::search
