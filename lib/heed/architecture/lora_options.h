// The options of LoRA: heed_torch/nn/lora.h has the formula.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/options.h"

namespace heed::nn {

struct LoraOptions {
  static constexpr std::string_view kName = "lora";
  static constexpr std::string_view kHelp = "LoRA: a low-rank update of each projection, merged into the model";
  int64_t rank = 8;    ///< r
  double alpha = 16;   ///< the low-rank update is scaled by alpha / r
  double dropout = 0;  ///< dropout on the input of the update, in [0, 1); 0: off
  /// The projections that get an update: `query`, `key`, `value` and `output` of attention, and `feed-forward`.
  std::vector<std::string> maps = {"query", "key", "value", "output", "feed-forward"};
  /// Parameters that are trained in full in addition to the updates, named as in train.freeze (PEFT's modules_to_save).
  std::vector<std::string> beside = {};
  bool operator==(const LoraOptions&) const = default;

  double scale() const { return alpha / static_cast<double>(rank); }
  bool adapts(std::string_view map) const;
};
void describe(LoraOptions& o, AnyOptionVisitor auto& visit) {
  visit("rank", o.rank, "rank r of the low-rank updates: numbers for each input and each output of a projection",
        between(1, 1e6));
  visit("alpha", o.alpha, "the low-rank updates are multiplied by alpha / rank", above(0));
  visit("dropout", o.dropout, "dropout probability on the input of the low-rank updates; 0: off", between(0, 0.99));
  visit("target-modules", o.maps,
        "projections that get a low-rank update: query, key, value and output of attention, and feed-forward");
  visit("modules-to-save", o.beside,
        "parameters that are trained in full, beside the low-rank updates, by their names as in train.freeze (PEFT: "
        "modules_to_save)");
}

/// Throws ConfigError if `maps` names an unknown projection or names one twice.
void validate(const LoraOptions& options);

}  // namespace heed::nn
