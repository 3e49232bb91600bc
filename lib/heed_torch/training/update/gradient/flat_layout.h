// Where the values of all parameters lie in one block of memory, and which stretches of it each rank owns: the sums of
// gradients, and where the optimizer's state is divided among ranks, also the step (Rajbhandari et al. 2020, ZeRO,
// https://arxiv.org/abs/1910.02054, stage 1).
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::training {

using at::Tensor;

/// In elements: 64 bytes of float. Parameters begin at multiples of it, so that no loop over vectors of numbers ends
/// elsewhere for a part of a parameter than for the whole.
inline constexpr int64_t kGradientAlignment = 16;
/// Of the gradient's norm, in elements; ranks' stretches begin at multiples of it. LibTorch shares the sum of more than
/// 32,768 elements to a single number among its threads.
inline constexpr int64_t kNormChunk = 16'384;
/// What goes from rank to rank at a time, in elements: 16 MiB of float.
inline constexpr int64_t kBucket = int64_t{4} << 20U;

/// A stretch of the block, in elements.
struct FlatRange {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
  bool operator==(const FlatRange&) const = default;
};

/// The part of a parameter that lies in a stretch.
struct FlatPiece {
  size_t parameter = 0;
  int64_t begin = 0;  ///< in the parameter
  int64_t size = 0;
  int64_t place = 0;  ///< in the stretch
};

class FlatLayout {
 public:
  explicit FlatLayout(const std::vector<Tensor>& parameters);

  /// Of all parameters, filled up to whole chunks of the norm.
  int64_t size() const { return size_; }
  /// Where each parameter begins.
  const std::vector<int64_t>& begins() const { return begins_; }
  std::vector<FlatPiece> pieces(FlatRange range) const;

 private:
  std::vector<int64_t> begins_, sizes_;
  int64_t size_ = 0;
};

/// The block of `size` elements, cut into buckets.
std::vector<FlatRange> buckets_of(int64_t size);
/// The stretch of a bucket that each of `ranks` ranks owns, in their order; those of the last ones may be empty.
std::vector<FlatRange> shares_of(FlatRange bucket, int64_t ranks);
/// What the rank owns of all buckets, without empty stretches.
std::vector<FlatRange> owned_by(int64_t rank, int64_t ranks, int64_t size);

}  // namespace heed::training
