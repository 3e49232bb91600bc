// The options of a recurrent decoder's attention to the source. heed_torch/nn/attention/memory_attention.h has the
// formulas.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "heed/architecture/attention_function.h"
#include "heed/architecture/coverage_options.h"
#include "heed/architecture/score_options.h"
#include "heed/core/options.h"

namespace heed::nn {

struct GlobalWindow {
  static constexpr std::string_view kName = "global";
  bool operator==(const GlobalWindow&) const = default;
};
void describe(GlobalWindow&, AnyOptionVisitor auto&) {}

struct MonotonicWindow {
  static constexpr std::string_view kName = "local-m";
  int64_t half_width = 10;  ///< D in the paper
  bool operator==(const MonotonicWindow&) const = default;
};
void describe(MonotonicWindow& o, AnyOptionVisitor auto& visit) {
  visit("half-width", o.half_width, "half-width D of the window: source positions on either side of its center",
        at_least(1));
}

struct PredictedWindow {
  static constexpr std::string_view kName = "local-p";
  int64_t half_width = 10;  ///< D in the paper
  bool operator==(const PredictedWindow&) const = default;
};
void describe(PredictedWindow& o, AnyOptionVisitor auto& visit) {
  visit("half-width", o.half_width,
        "half-width D of the window: source positions on either side of its predicted center", at_least(1));
}

using WindowOptions = std::variant<GlobalWindow, MonotonicWindow, PredictedWindow>;

struct MemoryAttentionOptions {
  ScoreOptions score = AdditiveScore{};
  WindowOptions window = GlobalWindow{};
  AttentionFunction function = SoftAttention{};
  CoverageOptions coverage = NoCoverage{};
  bool operator==(const MemoryAttentionOptions&) const = default;
};
void describe(MemoryAttentionOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("score", o.score, "attention score of a source state h for the decoder's state s");
  visit.alternatives("window", o.window,
                     "attention window (Luong et al. 2015): global, around the target's "
                     "position (local-m), around a predicted position (local-p)");
  visit.alternatives(
      "attention-function", o.function,
      "attention function, from scores to weights: softmax (soft), sparsemax, one position sampled in training (hard, "
      "or gumbel: straight-through Gumbel-softmax); translation takes the most probable position");
  visit.alternatives("coverage", o.coverage,
                     "coverage (Tu et al. 2016), an input of the additive score: past attention over a word's "
                     "predicted fertility (linguistic), or the state of a small recurrent network (neural)");
}

}  // namespace heed::nn
