#include "heed_torch/models/transformer/decoder_state.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "heed_torch/models/common/rows.h"

namespace heed::models {

TransformerState::TransformerState(std::vector<Layer> layers_of_state, const Tensor& start, int64_t beam)
    : layers(std::move(layers_of_state)), beam_(beam), consumed_(static_cast<size_t>(start.size(0)), 0) {
  position = start;
}

void TransformerState::advance() {
  position = position + 1;
  for (int64_t& tokens : consumed_) ++tokens;
}

void TransformerState::select(const Selection& going_on) {
  going_on.check_beam(beam_);
  if (!going_on.keeps_sentences(position.size(0))) select_memory(going_on.sentences());
  select_tokens(going_on);
}

void TransformerState::select_memory(const Tensor& sentences) {
  for (Layer& layer : layers) {
    layer.memory.keys = selected(layer.memory.keys, sentences);
    layer.memory.values = selected(layer.memory.values, sentences);
  }
  memory_mask.allowed = selected(memory_mask.allowed, sentences);
  memory_mask.bias = selected(memory_mask.bias, sentences);
  memory_mask.blind = selected(memory_mask.blind, sentences);
}

void TransformerState::select_tokens(const Selection& going_on) {
  const bool all = going_on.keeps_hypotheses(position.size(0));
  position = position.index_select(0, going_on.sentences());
  const auto host_sentences = going_on.host_sentences().accessor<int64_t, 1>();
  std::vector<int64_t> consumed;
  for (int64_t i = 0; i < going_on.size(); ++i) consumed.push_back(consumed_[static_cast<size_t>(host_sentences[i])]);
  consumed_ = std::move(consumed);
  int64_t kept = columns();
  if (!level_) kept = consumed_.empty() ? 0 : *std::ranges::max_element(consumed_);
  if (all && kept == columns()) return;
  const Tensor rows = going_on.hypotheses();
  for (Layer& layer : layers) layer.tokens.select(rows, kept);
}

void TransformerState::join(DecoderState&& admitted) {
  auto& other = dynamic_cast<TransformerState&>(admitted);
  TORCH_CHECK(other.beam_ == beam_ && other.layers.size() == layers.size(),
              "only states of the same decoder and beam can be joined");
  level_ = level_ && other.level_ && columns() == other.columns();
  for (size_t i = 0; i < layers.size(); ++i) {
    layers[i].tokens.join(other.layers[i].tokens);
    nn::KeysValues& memory = layers[i].memory;
    memory.keys = joined(memory.keys, other.layers[i].memory.keys, 2, 0);
    memory.values = joined(memory.values, other.layers[i].memory.values, 2, 0);
  }
  if (memory_mask.allowed.defined()) {
    memory_mask.allowed = joined(memory_mask.allowed, other.memory_mask.allowed, 3, false);
    memory_mask.bias = joined(memory_mask.bias, other.memory_mask.bias, 3, nn::AttentionMask::kForbidden);
    memory_mask.blind = at::cat({memory_mask.blind, other.memory_mask.blind});
  }
  position = at::cat({position, other.position});
  consumed_.insert(consumed_.end(), other.consumed_.begin(), other.consumed_.end());
}

nn::AttentionMask TransformerState::columns_mask(const Tensor& states) const {
  if (level_) return {};
  const int64_t count = columns() + 1;
  const Tensor places = at::arange(count, position.options());
  const Tensor used = places.unsqueeze(0).ge((count - 1 - position).unsqueeze(1));  // [S, columns]
  nn::AttentionMask mask = nn::AttentionMask::of_keys(used.repeat_interleave(beam_, 0), states.scalar_type());
  mask.blind = Tensor();
  return mask;
}

}  // namespace heed::models
