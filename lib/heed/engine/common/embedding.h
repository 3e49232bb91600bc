// Embeddings of tokens and positions: the input of an encoder or decoder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/engine/common/rows.h"
#include "heed/engine/common/weights.h"

namespace heed::engine {

/// The table of token embeddings (heed_torch/nn/embedding.h), read from the mapped file of the model.
struct EmbeddingTable {
  Weight weight;  ///< [vocabulary, d]
  float scale = 1;

  /// Writes the scaled embedding of a token to `row`.
  void look_up(int32_t token, float* row) const;
};

/// Position vectors, computed at first use. For use by one thread.
class PositionTable {
 public:
  enum class Kind {
    Sinusoidal,  ///< sines and cosines, interleaved; added to the embeddings (heed_torch/nn/positions/positions.h)
    Rotary,      ///< the cosines of half a head's angles, then their sines (heed_torch/nn/positions/rotary.h)
  };
  PositionTable(Kind kind, int64_t width, double base) : kind_(kind), width_(width), base_(base) {}

  /// The vector of a position, [width].
  const float* at(int64_t position);

 private:
  void append();

  Kind kind_;
  int64_t width_;
  double base_;
  std::vector<float> rows_;
};

}  // namespace heed::engine
