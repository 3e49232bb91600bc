#include "heed/engine/transformer/sublayers.h"

#include <algorithm>
#include <cmath>

#include "heed/kernels/vector_code.h"

namespace heed::engine {
namespace {

kernels::NormWeights norm_weights(const LayerSource& source, const std::string& name, nn::NormKind kind,
                                  double epsilon) {
  const auto read = [&](const char* part) { return source.weights.vector(name + part, source.d_model).numbers.data(); };
  return {.weight = read(".weight"), .bias = kind == nn::NormKind::Layer ? read(".bias") : nullptr, .epsilon = epsilon};
}

/// The learned position vectors, if the stack has any.
std::optional<Weight> read_learned_positions(const LayerSource& source, const std::string& name) {
  const auto* learned = std::get_if<nn::LearnedPositions>(&source.stack.positions);
  if (learned == nullptr) return std::nullopt;
  return source.weights.matrix(name + ".weight", learned->max_length, source.d_model);
}

}  // namespace

TransformerScratch::TransformerScratch(Precision precision, int64_t d_model, const models::TransformerOptions& stack)
    : operand(precision) {
  if (std::holds_alternative<nn::SinusoidalPositions>(stack.positions)) {
    added.emplace(PositionTable::Kind::Sinusoidal, d_model, 10000);
  }
  if (const auto* rotary = std::get_if<nn::RotaryPositions>(&stack.positions)) {
    turning.emplace(PositionTable::Kind::Rotary, d_model / nn::heads_of(stack.attention), rotary->base);
  }
}

Norm::Norm(const LayerSource& source, const std::string& name, bool behind) {
  if (const auto* pre = std::get_if<models::PreNorm>(&source.stack.norm_order)) {
    weights_ = norm_weights(source, name, pre->norm, pre->epsilon);
  }
  if (const auto* post = std::get_if<models::PostNorm>(&source.stack.norm_order); post && !behind) {
    weights_ = norm_weights(source, name, post->norm, post->epsilon);
  }
}

void Norm::apply(const Rows& x, Rows& y) const {
  if (&x != &y) y.resize(x.count(), x.width());
  kernels::norm_rows(x.data(), x.count(), x.width(), x.distance(), weights_, y.data());
}

Connection::Connection(const models::TransformerOptions& stack)
    : residual_(stack.residual), pre_norm_(std::holds_alternative<models::PreNorm>(stack.norm_order)) {}

TransformerStack::TransformerStack(const LayerSource& source, const EmbeddingTable& table, const std::string& name)
    : embedding(table),
      options(source.stack),
      precision(source.precision),
      d_model(source.d_model),
      connect(source.stack),
      learned_positions(read_learned_positions(source, name + ".positions")),
      norm(source, name + ".norm", /*behind=*/true) {}

void TransformerStack::embed(int32_t token, int64_t position, TransformerScratch& scratch, float* x) const {
  embedding.look_up(token, x);
  const float* added = nullptr;
  if (learned_positions) added = learned_positions->numbers.data() + position * d_model;
  if (scratch.added) added = scratch.added->at(position);
  if (added == nullptr) return;
  for (int64_t i = 0; i < d_model; ++i) x[i] += added[i];
}

void TransformerStack::finish(Rows& x) const {
  if (norm.exists()) norm.apply(x, x);
}

FeedForward::FeedForward(const LayerSource& source, const std::string& name)
    : activation_(source.stack.feed_forward.activation), gated_(source.stack.feed_forward.gated) {
  const nn::FeedForwardOptions& options = source.stack.feed_forward;
  const int64_t maps = gated_ ? 2 : 1;
  hidden_ = read_linear(source.weights, name + ".hidden", source.d_model, maps * options.d_hidden, options.bias,
                        source.precision);
  output_ =
      read_linear(source.weights, name + ".output", options.d_hidden, source.d_model, options.bias, source.precision);
}

namespace {

void activate(float* x, int64_t count, nn::Activation activation) {
  switch (activation) {
    case nn::Activation::Relu:
      for (int64_t i = 0; i < count; ++i) x[i] = x[i] > 0 ? x[i] : 0;
      return;
    case nn::Activation::Gelu:
      return kernels::gelu(x, count);
    case nn::Activation::Silu:
      return kernels::silu(x, count);
    case nn::Activation::Sigmoid:
      return kernels::sigmoid(x, count);
  }
}

}  // namespace

void FeedForward::operator()(const Rows& in, Rows& out, const Ending& ending, TransformerScratch& scratch) const {
  Rows& inner = scratch.inner;
  scratch.operand.take(in);
  const bool fused = !gated_ && activation_ == nn::Activation::Relu;
  hidden_.multiply(scratch.operand, inner, {.relu = fused});
  if (gated_) {
    Rows& kept = scratch.stacked;
    kept.resize(inner.count(), output_.in());
    for (int64_t row = 0; row < inner.count(); ++row) {
      activate(inner.row(row), output_.in(), activation_);
      std::copy_n(inner.row(row), output_.in(), kept.row(row));
      kernels::multiply(kept.row(row), inner.row(row) + output_.in(), output_.in());
    }
    scratch.operand.take(kept);
  } else {
    if (!fused) activate(inner.data(), inner.count() * inner.distance(), activation_);
    scratch.operand.take(inner);
  }
  output_.multiply(scratch.operand, out, ending);
}

AttentionProjections::AttentionProjections(const LayerSource& source, const nn::AttentionKind& kind)
    : projects(!std::holds_alternative<nn::ParameterFree>(kind)),
      combines(std::holds_alternative<nn::MultiHead>(kind)),
      bias(false) {
  const int64_t heads = nn::heads_of(kind), d_head = source.d_model / heads;
  const float scale = source.stack.scale_scores ? static_cast<float>(1 / std::sqrt(static_cast<double>(d_head))) : 1;
  shape = {.heads = heads, .d_head = d_head, .scale = scale};
  if (const auto* multi = std::get_if<nn::MultiHead>(&kind)) bias = multi->bias;
  if (const auto* single = std::get_if<nn::SingleHead>(&kind)) bias = single->bias;
}

void finish_attention(const AttentionProjections& maps, const Matrix& output, TransformerScratch& scratch, Rows& out,
                      const Ending& ending) {
  const Rows& context = scratch.context;
  if (maps.combines) {
    scratch.operand.take(context);
    return output.multiply(scratch.operand, out, ending);
  }
  if (ending.residual == nullptr) out.resize(context.count(), context.width());
  for (int64_t row = 0; row < context.count(); ++row) {
    const float* from = context.row(row);
    float* to = out.row(row);
    for (int64_t i = 0; i < context.width(); ++i) to[i] = (ending.residual == nullptr ? 0 : to[i]) + from[i];
  }
}

void turn(const kernels::AttentionShape& shape, const float* cosines_and_sines, float* x) {
  const int64_t half = shape.d_head / 2;
  const float* sines = cosines_and_sines + half;
  for (int64_t head = 0; head < shape.heads; ++head, x += shape.d_head) {
    for (int64_t i = 0; i < half; ++i) {
      const float first = x[i], second = x[half + i];
      x[i] = first * cosines_and_sines[i] - second * sines[i];
      x[half + i] = second * cosines_and_sines[i] + first * sines[i];
    }
  }
}

SelfAttention::SelfAttention(const LayerSource& source, const std::string& name)
    : maps(source, source.stack.attention) {
  const int64_t d = source.d_model;
  if (maps.projects) {
    query_key_value = read_linear(source.weights, name + ".query_key_value", d, 3 * d, maps.bias, source.precision);
  }
  if (maps.combines) output = read_linear(source.weights, name + ".output", d, d, maps.bias, source.precision);
  const auto* options = std::get_if<nn::RelativePositionOptions>(&source.stack.positions);
  if (options == nullptr) return;
  const auto read = [&](const char* part) {
    return source.weights.matrix(name + part, 2 * options->max_distance + 1, maps.shape.d_head).numbers;
  };
  relative = {
      .max_distance = options->max_distance, .keys = read(".relative.keys"), .values = read(".relative.values")};
}

void attend_from(const SelfAttention& attention, int64_t position, const float* query, const AttendedPlaces& places,
                 TransformerScratch& scratch, float* context) {
  const kernels::AttentionShape& shape = attention.maps.shape;
  float* scores = scratch.scores.reserve(shape.heads * kernels::padded_to_lanes(places.count));
  if (attention.relative) {
    return scratch.relative.attend({shape, *attention.relative, position, query}, places, scores, context);
  }
  attend(shape, query, places.keys, places.values, places.places, places.count, scores, context);
}

CrossAttention::CrossAttention(const LayerSource& source, const std::string& name, const nn::AttentionKind& kind,
                               int64_t d_memory)
    : maps(source, kind) {
  const int64_t d = source.d_model;
  if (maps.projects) {
    query = read_linear(source.weights, name + ".query", d, d, maps.bias, source.precision);
    key_value = read_linear(source.weights, name + ".key_value", d_memory, 2 * d, maps.bias, source.precision);
  }
  if (maps.combines) output = read_linear(source.weights, name + ".output", d, d, maps.bias, source.precision);
}

}  // namespace heed::engine
