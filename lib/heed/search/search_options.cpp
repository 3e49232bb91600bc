#include "heed/search/search_options.h"

#include <algorithm>
#include <string>

#include "heed/core/error.h"

namespace heed::search {

void validate(const SearchOptions& options) {
  if (options.n_best > options.beam) {
    throw ConfigError("search.n-best", "must be at most `search.beam` (" + std::to_string(options.beam) + "), but is " +
                                           std::to_string(options.n_best));
  }
  if (options.max_length_factor == 0 && options.min_length > options.max_length_constant) {
    throw ConfigError("search.min-length",
                      "must be at most `search.max-length-constant` (" + std::to_string(options.max_length_constant) +
                          ") where `search.max-length-factor` is 0, but is " + std::to_string(options.min_length));
  }
}

int64_t max_length(const SearchOptions& options, int64_t source_length) {
  constexpr double kLongest = 1e9;
  const double length = options.max_length_factor * static_cast<double>(source_length);
  return static_cast<int64_t>(std::min(length, kLongest)) + options.max_length_constant;
}

double normalized_score(double log_probability, int64_t length, const LengthPenalty& penalty) {
  return std::visit([&](const auto& chosen) { return chosen.score(log_probability, static_cast<double>(length)); },
                    penalty);
}

}  // namespace heed::search
