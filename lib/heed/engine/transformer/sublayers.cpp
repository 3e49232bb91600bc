#include "heed/engine/transformer/sublayers.h"

#include <algorithm>

#include "heed/kernels/vector_code.h"

namespace heed::engine {
namespace {

kernels::AttentionShape shape_of(const nn::AttentionOptions& options) {
  return {.heads = nn::heads_of(options.kind),
          .d_head = options.d_head(),
          .scale = static_cast<float>(options.score_scale())};
}

/// The numbers of a parameter; null if the model does not have it.
const float* numbers_of(const Weights& weights, const std::string& name) {
  return weights.has(name) ? weights.get(name).numbers.data() : nullptr;
}

}  // namespace

TransformerScratch::TransformerScratch(Precision precision, const models::TransformerLayerOptions& layer)
    : operand(precision) {
  const nn::PositionOptions& positions = layer.stack.positions;
  if (std::holds_alternative<nn::SinusoidalPositions>(positions)) {
    added.emplace(PositionTable::Kind::Sinusoidal, layer.d_model, 10000);
  }
  if (const auto* rotary = std::get_if<nn::RotaryPositions>(&positions)) {
    turning.emplace(PositionTable::Kind::Rotary, layer.self_attention().d_head(), rotary->base);
  }
}

Norm::Norm(const LayerSource& source, const std::string& name, const nn::NormOptions& options)
    : weights_{.weight = numbers_of(source.weights, name + ".weight"),
               .bias = numbers_of(source.weights, name + ".bias"),
               .epsilon = options.epsilon} {}

void Norm::apply(const Rows& x, Rows& y) const {
  if (&x != &y) y.resize(x.count(), x.width());
  kernels::norm_rows(x.data(), x.count(), x.width(), x.distance(), weights_, y.data());
}

void Norm::apply_to_heads(const kernels::AttentionShape& shape, float* x) const {
  if (exists()) kernels::norm_rows(x, shape.heads, shape.d_head, shape.d_head, weights_, x);
}

Connection::Connection(const models::TransformerOptions& stack)
    : residual_(stack.residual), pre_norm_(std::holds_alternative<models::PreNorm>(stack.norm_order)) {}

TransformerStack::TransformerStack(const LayerSource& source, const EmbeddingTable& table, const std::string& name)
    : embedding(table),
      options(source.layer),
      precision(source.precision),
      connect(source.layer.stack),
      norm(source, name + ".norm") {
  const std::string positions = name + ".positions.weight";
  if (source.weights.has(positions)) learned_positions = source.weights.get(positions);
}

void TransformerStack::embed(int32_t token, int64_t position, TransformerScratch& scratch, float* x) const {
  embedding.look_up(token, x);
  const float* added = nullptr;
  if (learned_positions) added = learned_positions->numbers.data() + position * options.d_model;
  if (scratch.added) added = scratch.added->at(position);
  if (added == nullptr) return;
  for (int64_t i = 0; i < options.d_model; ++i) x[i] += added[i];
}

void TransformerStack::finish(Rows& x) const {
  if (norm.exists()) norm.apply(x, x);
}

FeedForward::FeedForward(const LayerSource& source, const std::string& name)
    : hidden_(read_linear(source.weights, name + ".hidden", source.precision)),
      output_(read_linear(source.weights, name + ".output", source.precision)),
      activation_(source.layer.stack.feed_forward.activation),
      gated_(source.layer.stack.feed_forward.gated) {}

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

void finish_attention(const Matrix& output, TransformerScratch& scratch, Rows& out, const Ending& ending) {
  const Rows& context = scratch.context;
  if (!output.empty()) {
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
    : shape(shape_of(source.layer.self_attention())),
      query_key_value(read_linear(source.weights, name + ".query_key_value", source.precision)),
      query_norm(source, name + ".query_norm", source.layer.self_attention().head_norm()),
      key_norm(source, name + ".key_norm", source.layer.self_attention().head_norm()),
      output(read_linear(source.weights, name + ".output", source.precision)) {
  const auto options = source.layer.self_attention().relative;
  if (!options) return;
  relative = {.max_distance = options->max_distance,
              .keys = source.weights.get(name + ".relative.keys").numbers,
              .values = source.weights.get(name + ".relative.values").numbers};
}

void attend_from(const SelfAttention& attention, int64_t position, const float* query, const AttendedPlaces& places,
                 TransformerScratch& scratch, float* context) {
  const kernels::AttentionShape& shape = attention.shape;
  float* scores = scratch.scores.reserve(shape.heads * kernels::padded_to_lanes(places.count));
  if (attention.relative) {
    return scratch.relative.attend({shape, *attention.relative, position, query}, places, scores, context);
  }
  attend(shape, query, places.keys, places.values, places.places, places.count, scores, context);
}

void add_weights(text::HeadWeights& record, size_t layer, int64_t heads, const float* weights, int64_t count) {
  if (record.size() <= layer) record.resize(layer + 1);
  record[layer].resize(static_cast<size_t>(heads));
  for (text::AlignmentWeights& head : record[layer]) {
    head.emplace_back(weights, weights + count);
    weights += kernels::padded_to_lanes(count);
  }
}

CrossAttention::CrossAttention(const LayerSource& source, const std::string& name, const nn::AttentionOptions& options)
    : shape(shape_of(options)),
      query(read_linear(source.weights, name + ".query", source.precision)),
      key_value(read_linear(source.weights, name + ".key_value", source.precision)),
      query_norm(source, name + ".query_norm", options.head_norm()),
      key_norm(source, name + ".key_norm", options.head_norm()),
      output(read_linear(source.weights, name + ".output", source.precision)) {}

}  // namespace heed::engine
