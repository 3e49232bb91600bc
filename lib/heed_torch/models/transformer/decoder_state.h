// The state of decoding with a Transformer. Each layer has cached keys and values of the tokens so far, one row per
// hypothesis, and those of the encoder output, once per sentence.
#pragma once

#include <cstdint>
#include <vector>

#include "heed_torch/models/common/decoder.h"
#include "heed_torch/nn/attention/key_value_cache.h"

namespace heed::models {

class TransformerState : public DecoderState {
 public:
  struct Layer {
    nn::KeyValueCache tokens;  ///< S * beam rows
    nn::KeysValues memory;     ///< float [S, heads, source, d_head]; undefined for a language model
  };

  /// The state before the first token. start: int64 [S], zeros, see DecoderState::position.
  TransformerState(std::vector<Layer> layers, const Tensor& start, int64_t beam);

  void select(const Selection& going_on) override;
  void join(DecoderState&& admitted) override;
  /// Counts one more token for every sentence.
  void advance();

  /// The mask over the cache's columns after one more token; undefined members while all sentences have the same number
  /// of tokens. states: any tensor with the mask's dtype.
  nn::AttentionMask columns_mask(const Tensor& states) const;
  int64_t beam() const { return beam_; }
  int64_t columns() const { return layers.front().tokens.columns(); }

  std::vector<Layer> layers;
  nn::AttentionMask memory_mask;  ///< of the source's real tokens

 private:
  void select_memory(const Tensor& sentences);
  void select_tokens(const Selection& going_on);

  int64_t beam_;
  bool level_ = true;              // whether every sentence has as many tokens as the caches have columns
  std::vector<int64_t> consumed_;  // copy of `position` on the host
};

}  // namespace heed::models
