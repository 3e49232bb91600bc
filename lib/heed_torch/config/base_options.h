// The options of fine-tuning: the model that a training starts from, if any.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "heed/core/options.h"

namespace heed::config {

/// What is taken from that model.
enum class BasePart { Both, Weights, Tokenizers };
constexpr auto option_names(BasePart) {
  using Name = std::pair<BasePart, std::string_view>;
  return std::array{Name{BasePart::Both, "both"}, Name{BasePart::Weights, "weights"},
                    Name{BasePart::Tokenizers, "tokenizers"}};
}

struct BaseOptions {
  std::string from;  ///< model directory; empty: no fine-tuning
  BasePart part = BasePart::Both;
  bool operator==(const BaseOptions&) const = default;

  bool gives_weights() const { return !from.empty() && part != BasePart::Tokenizers; }
  bool gives_tokenizers() const { return !from.empty() && part != BasePart::Weights; }
};
void describe(BaseOptions& o, AnyOptionVisitor auto& visit) {
  visit("from", o.from,
        "fine-tuning: directory of the base model; its architecture, task, preset, tokenizers and search options "
        "are the defaults");
  visit("from-part", o.part,
        "what is taken of it: weights, tokenizers or both. Entries of the vocabulary that are new get new rows");
}

}  // namespace heed::config
