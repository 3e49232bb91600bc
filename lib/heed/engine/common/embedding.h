// Vectors of tokens and positions: the first rows of an encoder or decoder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/engine/common/rows.h"
#include "heed/engine/common/weights.h"

namespace heed::engine {

/// The table of token vectors (heed_torch/nn/embedding.h), read where it lies in the model's file.
struct EmbeddingTable {
  Weight weight;  ///< [vocabulary, d]
  float scale = 1;

  /// The scaled vector of a token to `row`.
  void look_up(int32_t token, float* row) const;
};

/// A vector for each position, made when it is first asked for. One thread's.
class PositionTable {
 public:
  enum class Kind {
    Sinusoidal,  ///< sines and cosines side by side, to be added (heed_torch/nn/positions/positions.h)
    Rotary,      ///< the cosines of half a head's angles, then their sines (heed_torch/nn/positions/rotary.h)
  };
  PositionTable(Kind kind, int64_t width, double base) : kind_(kind), width_(width), base_(base) {}

  /// [width]
  const float* at(int64_t position);

 private:
  void append();

  Kind kind_;
  int64_t width_;
  double base_;
  std::vector<float> rows_;
};

}  // namespace heed::engine
