// Masks are bool; true = a real token, or a key that a query may attend to.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// Whether each token is real. tokens: int64 [...], 0 = padding -> bool [...].
Tensor real_tokens(const Tensor& tokens);

/// The keys that each query may attend to. It is built once per forward pass; all layers share it.
struct AttentionMask {
  /// The bias that is added to the score of a forbidden key. It is finite, so that a row without any key gives no NaN,
  /// and within the range of float16.
  static constexpr double kForbidden = -3e4;

  /// Replaces the score of a forbidden key where no bias is added: far below any real score of the type.
  static double forbidden_score(at::ScalarType type);

  Tensor allowed;  ///< bool, broadcasts to [S, heads, query, key]; undefined: every query sees every key
  Tensor bias;     ///< float, the shape of `allowed`: 0 if allowed, else kForbidden. The softmax makes its weight
                   ///< exactly 0 if the scores of a row differ by less than 2.9e4
  Tensor blind;    ///< bool [S, 1, 1, 1]: true = a sentence without any allowed key; undefined: no such sentence is
                   ///< possible

  /// Every query may attend to all real keys. real: bool [S, key]. dtype: of the states; for bfloat16 the bias is
  /// float32, as the scores are.
  static AttentionMask of_keys(const Tensor& real, at::ScalarType dtype);
  /// A query may attend to its own position and to earlier ones. states: give device and dtype.
  static AttentionMask causal(int64_t length, const Tensor& states);
};

}  // namespace heed::nn
