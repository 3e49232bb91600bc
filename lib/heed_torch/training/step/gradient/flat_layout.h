// How all parameters are laid out in one block of memory, and which ranges of it each rank owns. Ranks use it to sum
// gradients. If they share the optimizer's state, each also makes the step of its ranges (Rajbhandari et al. 2020,
// ZeRO, https://arxiv.org/abs/1910.02054, stage 1).
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::training {

using at::Tensor;

/// In elements: 64 bytes of float. Parameters begin at multiples of it. So a vectorized loop has the same remainder for
/// a piece of a parameter as for the whole parameter.
inline constexpr int64_t kGradientAlignment = 16;
/// Size of a chunk of the gradient's norm, in elements; the ranges of ranks begin at multiples of it. It is small
/// because LibTorch splits the sum of more than 32,768 elements among its threads.
inline constexpr int64_t kNormChunk = 16'384;
/// Size of a bucket, which ranks exchange at a time, in elements: 16 MiB of float.
inline constexpr int64_t kBucket = int64_t{4} << 20U;

/// A range of the block, in elements.
struct FlatRange {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
  bool operator==(const FlatRange&) const = default;
};

/// The piece of a parameter that is in a range.
struct FlatPiece {
  size_t parameter = 0;
  int64_t begin = 0;  ///< in the parameter
  int64_t size = 0;
  int64_t place = 0;  ///< in the range
};

class FlatLayout {
 public:
  explicit FlatLayout(const std::vector<Tensor>& parameters);

  /// Elements of all parameters, rounded up to whole chunks of the norm.
  int64_t size() const { return size_; }
  /// The first element of each parameter.
  const std::vector<int64_t>& begins() const { return begins_; }
  std::vector<FlatPiece> pieces(FlatRange range) const;

 private:
  std::vector<int64_t> begins_, sizes_;
  int64_t size_ = 0;
};

/// Splits the block of `size` elements into buckets.
std::vector<FlatRange> buckets_of(int64_t size);
/// The ranges of a bucket that `ranks` ranks own, in order of the ranks. The ranges of the last ranks may be empty.
std::vector<FlatRange> shares_of(FlatRange bucket, int64_t ranks);
/// The ranges that the rank owns in all buckets, without empty ranges.
std::vector<FlatRange> owned_by(int64_t rank, int64_t ranks, int64_t size);

}  // namespace heed::training
