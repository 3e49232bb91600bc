// Heads: they replace the decoder when a model predicts labels or numbers instead of text. A head turns the encoder
// output into hidden states. Like a decoder's, these go to the output layer:
//   class    one label for the whole source: softmax over the labels from one pooled state
//   labels   one label for each word of the source, from the state of the word's first token: a softmax for each word,
//            or a CRF over the sentence (heed_torch/nn/losses/crf.h)
//   numbers  numbers for the whole source: the output layer's values for one pooled state, unchanged
// Pooling makes one state from the states h_1 ... h_n of the source's real positions:
//   last       h_n; for a recurrent encoder the last states of its top layer, both directions concatenated
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

class Head;           // head.h
class ParameterList;  // parameter_list.h

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
  std::optional<int64_t> hidden{};  ///< width of the hidden layer W; absent: the width of the states
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

/// Without a head, a decoder writes text.
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
  bool crf = false;  ///< score all labels of a sentence together with a CRF
  bool operator==(const LabelHeadOptions&) const = default;
};
void describe(LabelHeadOptions& o, AnyOptionVisitor auto& visit) {
  visit("crf", o.crf,
        "linear-chain conditional random field: score the labels of a sentence together, with a learned score for each "
        "pair of neighbors (Lafferty et al. 2001)");
}

/// The loss of predicted numbers y for targets t. Targets are divided by their standard deviation in the training set.
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

/// Whether the head pools by attention, so that weights over the source's positions exist.
bool pools_by_attention(const HeadOptions& options);
/// The width of the head's hidden states for an encoder output of this shape.
int64_t head_width(const HeadOptions& options, const MemoryShape& memory);
/// outputs: the number of labels or numbers.
void list_parameters(const HeadOptions& options, const MemoryShape& memory, int64_t outputs, const ParameterList& list);
/// outputs: the number of labels or numbers. dropout: on the hidden states. Returns null without a head.
std::shared_ptr<Head> make_head(const HeadOptions& options, const MemoryShape& memory, int64_t outputs, double dropout);

}  // namespace heed::models
