// The options of sampling: how the next token of a generated text is chosen.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "heed/core/options.h"
#include "heed/search/drawing.h"

namespace heed::search {

struct SampleOptions {
  static constexpr std::string_view kName = "sample";
  DrawOptions draw = {};
  int64_t seed = 1;     ///< the samples depend only on the seed, the prompt's index and the sample's number
  int64_t samples = 1;  ///< for each prompt
  bool operator==(const SampleOptions&) const = default;
};
void describe(SampleOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.draw, visit);
  visit("seed", o.seed, "seed of the sampling", at_least(0));
  visit("samples", o.samples, "texts sampled for each prompt, one below the other", between(1, 1e9));
}

/// Always the most probable token; ties: the lower token id.
struct GreedyOptions {
  static constexpr std::string_view kName = "greedy";
  bool operator==(const GreedyOptions&) const = default;
};
void describe(GreedyOptions&, AnyOptionVisitor auto&) {}

struct SamplingOptions {
  std::variant<SampleOptions, GreedyOptions> method = {};
  int64_t max_length = 100;  ///< tokens after the prompt; longer texts are truncated
  bool unknown = false;      ///< whether the token for unknown words may be produced
  bool operator==(const SamplingOptions&) const = default;

  int64_t samples() const {
    const auto* draws = std::get_if<SampleOptions>(&method);
    return draws ? draws->samples : 1;
  }
};
void describe(SamplingOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("method", o.method, "sample each token (sample), or take the most probable one (greedy)");
  visit("max-length", o.max_length,
        "most tokens that are added to a prompt; a text that has not ended by then is truncated", between(1, 1e9));
  visit("unknown", o.unknown, "allow the token for unknown words in texts");
}

}  // namespace heed::search
