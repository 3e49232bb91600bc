// The state of decoding with a Transformer: in each layer the cached keys and values of the tokens so far, one row for
// each hypothesis, and the projected memory, once for each sentence.
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

  /// Before the first token. start: int64 [S], zeros, see DecoderState::position.
  TransformerState(std::vector<Layer> layers, const Tensor& start, int64_t beam);

  void select(const Selection& going_on) override;
  void join(DecoderState&& admitted) override;
  /// Every sentence has consumed one more token.
  void advance();

  /// The mask over the columns of the caches after one more token; undefined members while all sentences are level.
  /// states: any tensor of the dtype that the mask should have.
  nn::AttentionMask columns_mask(const Tensor& states) const;
  int64_t beam() const { return beam_; }
  int64_t columns() const { return layers.front().tokens.columns(); }

  std::vector<Layer> layers;
  nn::AttentionMask memory_mask;  ///< of the memory's real tokens

 private:
  void select_memory(const Tensor& sentences);
  void select_tokens(const Selection& going_on);

  int64_t beam_;
  bool level_ = true;              // all sentences have consumed as many tokens as the caches have columns
  std::vector<int64_t> consumed_;  // `position` as the host knows it
};

}  // namespace heed::models
