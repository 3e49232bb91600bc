// Heads: what stands on an encoder where no decoder writes text. The hidden states that a head makes of the memory go
// to the output layer, as a decoder's do:
//   class    one label for the whole source: softmax over the labels of one pooled state
//   labels   a label for each word of the source, from the state at the word's first token: softmax each, or a CRF
//            over the sentence (heed_torch/nn/losses/crf.h)
//   numbers  numbers for the whole source: the output layer's values of one pooled state, as they are
// Pooling makes one state of those at the source's real positions h_1 ... h_n:
//   last       h_n, or of a recurrent encoder the last states of its top layer, of both directions side by side
//   mean, max  of each component over all positions
//   attention  sum_i a_i h_i with a = softmax_i(v . tanh(W h_i + b))     Yang et al. 2016,
//   https://aclanthology.org/N16-1174
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "heed/architecture/memory_shape.h"
#include "heed/core/options.h"

namespace heed::models {

class Head;  // head.h

struct LastPooling {
  static constexpr std::string_view kName = "last";
  bool operator==(const LastPooling&) const = default;
};
void describe(LastPooling&, AnyOptionVisitor auto&) {}

struct MeanPooling {
  static constexpr std::string_view kName = "mean";
  bool operator==(const MeanPooling&) const = default;
};
void describe(MeanPooling&, AnyOptionVisitor auto&) {}

struct MaxPooling {
  static constexpr std::string_view kName = "max";
  bool operator==(const MaxPooling&) const = default;
};
void describe(MaxPooling&, AnyOptionVisitor auto&) {}

struct AttentionPooling {
  static constexpr std::string_view kName = "attention";
  std::optional<int64_t> hidden{};  ///< width of the hidden layer W; absent: that of the states
  bool operator==(const AttentionPooling&) const = default;
};
void describe(AttentionPooling& o, AnyOptionVisitor auto& visit) {
  visit("pooling-hidden", o.hidden, "width of the hidden layer that the weights come from; none: that of the states",
        between(1, 1e6));
}

using PoolingOptions = std::variant<AttentionPooling, MeanPooling, MaxPooling, LastPooling>;
inline constexpr const char* kPoolingHelp =
    "how the states of the source become one: learned attention weights, which heed predict can show, their mean or "
    "maximum, or the last";

/// The decoder writes text.
struct NoHeadOptions {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoHeadOptions&) const = default;
};
void describe(NoHeadOptions&, AnyOptionVisitor auto&) {}

struct ClassHeadOptions {
  static constexpr std::string_view kName = "class";
  PoolingOptions pooling = {};
  bool operator==(const ClassHeadOptions&) const = default;
};
void describe(ClassHeadOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("pooling", o.pooling, kPoolingHelp);
}

struct LabelHeadOptions {
  static constexpr std::string_view kName = "labels";
  bool crf = false;  ///< the labels of a sentence are scored together
  bool operator==(const LabelHeadOptions&) const = default;
};
void describe(LabelHeadOptions& o, AnyOptionVisitor auto& visit) {
  visit("crf", o.crf,
        "linear-chain conditional random field: score the labels of a sentence together, with a learned score for each "
        "pair of neighbors (Lafferty et al. 2001)");
}

/// What is minimized, with the numbers divided by their standard deviation in the training set.
enum class NumberLoss {
  Squared,   ///< (y - t)^2
  Absolute,  ///< |y - t|
};
constexpr auto option_names(NumberLoss) {
  using Name = std::pair<NumberLoss, std::string_view>;
  return std::array{Name{NumberLoss::Squared, "squared"}, Name{NumberLoss::Absolute, "absolute"}};
}

struct NumberHeadOptions {
  static constexpr std::string_view kName = "numbers";
  PoolingOptions pooling = {};
  NumberLoss loss = NumberLoss::Squared;
  bool operator==(const NumberHeadOptions&) const = default;
};
void describe(NumberHeadOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("pooling", o.pooling, kPoolingHelp);
  visit("error", o.loss, "error to minimize, of numbers divided by their standard deviation in the training set");
}

struct HeadOptions {
  std::variant<NoHeadOptions, ClassHeadOptions, LabelHeadOptions, NumberHeadOptions> type;
  bool operator==(const HeadOptions&) const = default;
};
void describe(HeadOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("type", o.type, "head on the encoder, which follows from the task; none: the decoder writes text");
}

/// Whether its states come with weights over the source's positions.
bool pools_by_attention(const HeadOptions& options);
/// The width of the hidden states that the head makes of such memories.
int64_t head_width(const HeadOptions& options, const MemoryShape& memory);
/// outputs: labels or numbers. Null: there is none. dropout: on the hidden states.
std::shared_ptr<Head> make_head(const HeadOptions& options, const MemoryShape& memory, int64_t outputs, double dropout);

}  // namespace heed::models
