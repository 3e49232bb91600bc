// The options of a stack of Transformer layers, for encoder and decoder. The defaults are the base model of Vaswani et
// al. 2017 (https://arxiv.org/abs/1706.03762, table 3).
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "heed/architecture/attention_options.h"
#include "heed/architecture/feed_forward_options.h"
#include "heed/architecture/norm_options.h"
#include "heed/architecture/position_options.h"
#include "heed/core/options.h"

namespace heed::models {

class Encoder;        // encoder.h
class ParameterList;  // parameter_list.h
class SourceReader;   // sources/source_reader.h

/// norm(x + f(x)) (Vaswani et al. 2017).
struct PostNorm {
  static constexpr std::string_view kName = "post";
  nn::NormKind norm = nn::NormKind::Layer;  ///< layer or rms
  double epsilon = 1e-5;                    ///< added under the norm's square root
  bool operator==(const PostNorm&) const = default;
};
/// x + f(norm(x)), and a norm after the last layer. Deep stacks train without warm-up (Xiong et al. 2020,
/// https://arxiv.org/abs/2002.04745).
struct PreNorm {
  static constexpr std::string_view kName = "pre";
  nn::NormKind norm = nn::NormKind::Layer;  ///< layer or rms
  double epsilon = 1e-5;                    ///< added under the norm's square root
  bool operator==(const PreNorm&) const = default;
};
/// x + f(x).
struct NoNorm {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoNorm&) const = default;
};
template <class Order>
  requires(std::same_as<Order, PostNorm> || std::same_as<Order, PreNorm>)
void describe(Order& o, AnyOptionVisitor auto& visit) {
  visit("norm", o.norm, "kind of normalization");
  visit("norm-epsilon", o.epsilon, "epsilon of the normalization, added under its root", at_least(1e-12));
}
void describe(NoNorm&, AnyOptionVisitor auto&) {}
using NormOrder = std::variant<PostNorm, PreNorm, NoNorm>;

struct TransformerOptions {
  int64_t layers = 6;                                         ///< N in the paper
  nn::AttentionKind attention = nn::MultiHead{};              ///< how queries, keys and values are computed
  bool scale_scores = true;                                   ///< divide scores by the square root of a head's width
  std::optional<nn::NormKind> query_key_norm = std::nullopt;  ///< norm of queries and keys; absent: none
  double attention_dropout = 0;                               ///< dropout on attention weights; in [0, 1), 0 = off
  double query_key_value_dropout = 0;                         ///< dropout on queries, keys and values, likewise
  double layer_dropout = 0;                                   ///< probability of skipping a layer, likewise
  nn::FeedForwardOptions feed_forward = {.d_model = 0};       ///< its d_model is set from the architecture's
  nn::PositionOptions positions = nn::SinusoidalPositions{};  ///< position encoding
  NormOrder norm_order = PostNorm{};                          ///< where the norms are
  bool residual = true;                                       ///< whether x is added to f(x) (He et al. 2016)
  bool operator==(const TransformerOptions&) const = default;
};
void describe(TransformerOptions& o, AnyOptionVisitor auto& visit) {
  visit("layers", o.layers, "layers in the stack", between(1, 1000));
  visit.alternatives("attention", o.attention, "the kind of attention");
  visit("scale-scores", o.scale_scores, "divide attention scores by the square root of a head's width");
  visit("query-key-norm", o.query_key_norm,
        "normalize the queries and keys of each head, with learned scales, before they are multiplied; none: do not");
  visit("attention-dropout", o.attention_dropout, "dropout probability of attention weights; 0: off", between(0, 0.99));
  visit("query-key-value-dropout", o.query_key_value_dropout,
        "dropout probability of queries, keys and values (UniDrop); 0: off", between(0, 0.99));
  visit("layer-dropout", o.layer_dropout,
        "LayerDrop: probability that training skips a layer for a micro-batch; 0: off", between(0, 0.99));
  visit.section("feed-forward", o.feed_forward, "the position-wise feed-forward network");
  visit.alternatives("positions", o.positions, "positional encoding");
  visit.alternatives("norm-order", o.norm_order,
                     "placement of normalization: post (after each residual sum), pre (before each sublayer), none");
  visit("residual", o.residual, "residual connections: add each sublayer's input to its output");
}

/// The options of a layer: those of its stack, and the sizes of the whole model.
struct TransformerLayerOptions {
  int64_t d_model;           ///< width of the states
  double dropout = 0;        ///< on embeddings and residual branches
  TransformerOptions stack;  ///< the other options
  bool operator==(const TransformerLayerOptions&) const = default;

  nn::AttentionOptions self_attention() const;
  /// The attention to an encoder output of width d_memory.
  nn::AttentionOptions cross_attention(const nn::AttentionKind& kind, int64_t d_memory) const;
  nn::FeedForwardOptions feed_forward() const;
  /// The norm of one sublayer; of kind `none` if the norm order is `none`.
  nn::NormOptions norm() const;
  /// The norm after the last layer; of kind `none` unless the norm order is pre-norm.
  nn::NormOptions final_norm() const;
};

/// Throw ConfigError if options do not fit the width of the states. section: for messages, such as "arch.encoder".
void validate(const nn::AttentionKind& kind, int64_t d_model, const std::string& section);
void validate(const TransformerOptions& options, int64_t d_model, const std::string& section);
/// kind: of an attention of this stack, to itself or to the source.
void validate(const TransformerOptions& options, const nn::AttentionKind& kind, const std::string& section);

/// The encoder of Vaswani et al. 2017.
struct TransformerEncoderOptions {
  static constexpr std::string_view kName = "transformer";
  TransformerOptions stack;
  bool operator==(const TransformerEncoderOptions&) const = default;
};
void describe(TransformerEncoderOptions& o, AnyOptionVisitor auto& visit) { describe(o.stack, visit); }
std::shared_ptr<Encoder> make_encoder(const TransformerEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source);
void validate(const TransformerEncoderOptions& options, int64_t d_model);
std::optional<int64_t> max_length(const TransformerEncoderOptions& options);
void list_parameters(const TransformerEncoderOptions& options, int64_t d_model, const ParameterList& list);

/// The same kind as the decoder's self-attention.
struct SameAsSelfAttention {
  static constexpr std::string_view kName = "same";
  bool operator==(const SameAsSelfAttention&) const = default;
};
void describe(SameAsSelfAttention&, AnyOptionVisitor auto&) {}

/// The decoder's attention to the encoder output.
struct CrossAttentionOptions {
  std::variant<SameAsSelfAttention, nn::MultiHead, nn::SingleHead, nn::ParameterFree> attention;
  /// The attention that is the model's alignment. Guided alignment trains it; it is shown unless another is asked for.
  std::optional<int64_t> alignment_layer = std::nullopt;  ///< counted from 1; absent: the last
  std::optional<int64_t> alignment_head = std::nullopt;   ///< counted from 1; absent: the mean of all
  bool operator==(const CrossAttentionOptions&) const = default;
};
void describe(CrossAttentionOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("attention", o.attention, "the kind of attention to the source; same: as the self-attention");
  visit("alignment-layer", o.alignment_layer,
        "layer whose attention is the alignment that `alignments` train and that is shown, counted from 1; none: the "
        "last; with `alignments` the last but one is the default",
        at_least(1));
  visit("alignment-head", o.alignment_head,
        "head of that layer, counted from 1; none: the mean of all; with `alignments` 1 is the default", at_least(1));
}

/// The decoder of Vaswani et al. 2017. Without an encoder it is a language model.
struct TransformerDecoderOptions {
  static constexpr std::string_view kName = "transformer";
  TransformerOptions stack;
  CrossAttentionOptions cross;
  double output_dropout = 0;  ///< dropout on the input of the output layer; in [0, 1), 0 = off
  bool causal_mask = true;    ///< in training no position sees later ones; without this mask the model learns to copy
                              ///< them
  bool operator==(const TransformerDecoderOptions&) const = default;

  nn::AttentionKind cross_attention() const;
  /// The layer and the head of the alignment, counted from 0. No head: the mean of all.
  int64_t alignment_layer() const { return cross.alignment_layer.value_or(stack.layers) - 1; }
  std::optional<int64_t> alignment_head() const {
    return cross.alignment_head ? std::optional(*cross.alignment_head - 1) : std::nullopt;
  }
};
void describe(TransformerDecoderOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.stack, visit);
  visit.section("cross", o.cross, "attention to the source");
  visit("output-dropout", o.output_dropout, "dropout probability of the input of the output layer (UniDrop); 0: off",
        between(0, 0.99));
  visit("causal-mask", o.causal_mask, "causal mask of the decoder's self-attention in training; false is an ablation");
}
std::optional<int64_t> max_length(const TransformerDecoderOptions& options);
/// d_memory: width of the encoder output; 0: a language model.
void list_parameters(const TransformerDecoderOptions& options, int64_t d_model, int64_t d_memory,
                     const ParameterList& list);

}  // namespace heed::models
