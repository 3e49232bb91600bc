// Masks: bool, true = a real token, or a key that a query may attend to.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// True where a token is real. tokens: int64 [...], 0 = padding -> bool [...].
Tensor real_tokens(const Tensor& tokens);

/// Which keys each query may attend to. Made once for a pass over the layers and shared by all of them.
struct AttentionMask {
  /// The bias of a forbidden key, added to its score: finite, so that a row without a key gives no NaN, and within the
  /// range of float16.
  static constexpr double kForbidden = -3e4;

  /// What takes the place of a forbidden key's score where the two are not added: far below any score of the type.
  static double forbidden_score(at::ScalarType type);

  Tensor allowed;  ///< bool, broadcasts to [S, heads, query, key]; undefined: every query sees every key
  Tensor bias;     ///< float, as `allowed`: 0 where allowed, else kForbidden, which the softmax makes exactly 0 as long
                   ///< as the scores of a row differ by less than 2.9e4
  Tensor blind;    ///< bool [S, 1, 1, 1]: sentences without any key to attend to; undefined: there can be none

  /// Every query sees the real keys. real: bool [S, key]. dtype: that of the states.
  static AttentionMask of_keys(const Tensor& real, at::ScalarType dtype);
  /// A query sees the keys at its own position and before. states: of the device and dtype to use.
  static AttentionMask causal(int64_t length, const Tensor& states);
};

}  // namespace heed::nn
