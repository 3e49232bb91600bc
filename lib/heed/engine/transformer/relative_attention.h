// Attention with relative positions (heed_torch/nn/positions/relative_positions.h). For a query at position i, with r
// the distance j - i clipped to [-k, k]:
//   score_j = scale * q . (k_j + a^K_r),   context = sum_j weight_j (v_j + a^V_r)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/engine/common/rows.h"
#include "heed/kernels/attention_step.h"

namespace heed::engine {

struct RelativePositions {
  int64_t max_distance;           ///< k
  std::span<const float> keys;    ///< a^K [2 k + 1, d_head]
  std::span<const float> values;  ///< a^V [2 k + 1, d_head]
};

struct RelativeQuery {
  const kernels::AttentionShape& shape;
  const RelativePositions& relative;
  int64_t position;      ///< i
  const float* numbers;  ///< [heads * d_head]
};
/// Positions from 0: the key of position j is at keys + places[j], its value at values + places[j].
struct AttendedPlaces {
  const float *keys, *values;
  const int64_t* places;
  int64_t count;
};

/// For use by one thread.
class RelativeAttention {
 public:
  /// scores, context: as in attend().
  void attend(const RelativeQuery& query, const AttendedPlaces& past, float* scores, float* context);

 private:
  Buffer<float> by_distance_, shift_;
  std::vector<int64_t> rows_;  // the offset of the vectors of each distance
};

}  // namespace heed::engine
