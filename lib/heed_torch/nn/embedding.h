// The embedding table of tokens. The output layer may share it (Press and Wolf 2017, https://arxiv.org/abs/1608.05859).
#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/initialization.h"

namespace heed::nn {

struct TokenEmbeddingOptions {
  int64_t vocab_size;       ///< rows, including special ids
  int64_t d_model;          ///< width of a vector
  double scale = 1;         ///< factor on the vectors: sqrt(d_model) in Vaswani et al. 2017, section 3.4
  double word_dropout = 0;  ///< probability that training sets a token's vector to 0; in [0, 1), 0 = off
  bool operator==(const TokenEmbeddingOptions&) const = default;
};

class TokenEmbeddingImpl : public torch::nn::Module, public Initialized {
 public:
  static constexpr int64_t kPad = 0;

  explicit TokenEmbeddingImpl(const TokenEmbeddingOptions& options);

  /// tokens: int64 [...] in [0, vocab_size) -> float [..., d_model]. Padding (id 0) sends no gradient to its row.
  Tensor forward(const Tensor& tokens);
  /// The row of the padding id starts as zeros.
  void initialize(Initializer& values) override;
  const TokenEmbeddingOptions& options() const { return options_; }

  Tensor weight;  ///< [vocab_size, d_model]

 private:
  TokenEmbeddingOptions options_;
};
TORCH_MODULE(TokenEmbedding);

}  // namespace heed::nn
