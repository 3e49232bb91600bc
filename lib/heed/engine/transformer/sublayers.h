// The sublayers of Transformer layers (models/transformer), on rows of floats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/architecture/transformer_options.h"
#include "heed/engine/common/embedding.h"
#include "heed/engine/common/matrix.h"
#include "heed/engine/common/rows.h"
#include "heed/engine/transformer/relative_attention.h"
#include "heed/kernels/attention_step.h"
#include "heed/kernels/row_kernels.h"
#include "heed/text/alignment.h"

namespace heed::engine {

/// What the layers of a stack are built from.
struct LayerSource {
  const Weights& weights;
  Precision precision;
  models::TransformerLayerOptions layer;
};

/// The working memory of one thread.
struct TransformerScratch {
  TransformerScratch(Precision precision, const models::TransformerLayerOptions& layer);

  Operand operand;
  Rows normed, stacked, context, inner;
  Buffer<float> scores;
  std::vector<int64_t> places;
  std::optional<PositionTable> added;    ///< sinusoidal positions
  std::optional<PositionTable> turning;  ///< rotary positions
  RelativeAttention relative;
};

class Norm {
 public:
  /// Without parameters of that name, the norm does not exist.
  Norm(const LayerSource& source, const std::string& name) : Norm(source, name, source.layer.norm()) {}
  Norm(const LayerSource& source, const std::string& name, const nn::NormOptions& options);
  void apply(const Rows& x, Rows& y) const;
  /// Normalizes each head of a query or key, if the norm exists.
  void apply_to_heads(const kernels::AttentionShape& shape, float* x) const;
  bool exists() const { return weights_.weight != nullptr; }

 private:
  kernels::NormWeights weights_{};
};

/// The residual connection and normalization around a sublayer, in the order that the options select. See
/// heed_torch/models/transformer/layer.h.
class Connection {
 public:
  explicit Connection(const models::TransformerOptions& stack);

  /// f(in, out, ending) reads `in` and writes `out` with that ending; they may be the same.
  template <class Sublayer>
  void operator()(Rows& x, const Norm& norm, TransformerScratch& scratch, const Sublayer& f) const {
    const Ending ending{.relu = false, .residual = residual_ ? &x : nullptr};
    if (pre_norm_) {
      norm.apply(x, scratch.normed);
      f(scratch.normed, x, ending);
    } else {
      f(x, x, ending);
      if (norm.exists()) norm.apply(x, x);
    }
  }

 private:
  bool residual_;
  bool pre_norm_;
};

/// What an encoder and a decoder have in addition to their layers.
struct TransformerStack {
  /// name: prefix of its parameters, "encoder" or "decoder".
  TransformerStack(const LayerSource& source, const EmbeddingTable& table, const std::string& name);

  TransformerScratch make_scratch() const { return {precision, options}; }
  /// Writes the embedding of a token at a position to x, [d_model].
  void embed(int32_t token, int64_t position, TransformerScratch& scratch, float* x) const;
  /// Applies the norm after the last layer, in place.
  void finish(Rows& x) const;

  EmbeddingTable embedding;
  models::TransformerLayerOptions options;
  Precision precision;
  Connection connect;
  std::optional<Weight> learned_positions;
  Norm norm;
};

class FeedForward {
 public:
  FeedForward(const LayerSource& source, const std::string& name);
  void operator()(const Rows& in, Rows& out, const Ending& ending, TransformerScratch& scratch) const;

 private:
  Matrix hidden_, output_;
  nn::Activation activation_;
  bool gated_;
};

/// out = context, projected if there is a projection.
void finish_attention(const Matrix& output, TransformerScratch& scratch, Rows& out, const Ending& ending);

/// Turns a query or key of `heads` heads by the angles of its position.
void turn(const kernels::AttentionShape& shape, const float* cosines_and_sines, float* x);

/// Self-attention over positions (encoder) or hypotheses (decoder).
struct SelfAttention {
  SelfAttention(const LayerSource& source, const std::string& name);

  kernels::AttentionShape shape;
  Matrix query_key_value;  ///< empty if parameter-free: queries, keys and values are the states themselves
  Norm query_norm, key_norm;
  std::optional<RelativePositions> relative;
  Matrix output;  ///< multi-head attention only
};

/// Attention of a query at `position`, as in attend(). places: of the positions from 0.
void attend_from(const SelfAttention& attention, int64_t position, const float* query, const AttendedPlaces& places,
                 TransformerScratch& scratch, float* context);

/// Adds a row of weights to each head of a layer. weights: [heads, padded_to_lanes(count)].
void add_weights(text::HeadWeights& record, size_t layer, int64_t heads, const float* weights, int64_t count);

struct CrossAttention {
  CrossAttention(const LayerSource& source, const std::string& name, const nn::AttentionOptions& options);

  kernels::AttentionShape shape;
  Matrix query, key_value;  ///< empty if parameter-free
  Norm query_norm, key_norm;
  Matrix output;  ///< multi-head attention only
};

}  // namespace heed::engine
