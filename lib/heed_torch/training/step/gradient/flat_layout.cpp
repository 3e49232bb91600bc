#include "heed_torch/training/step/gradient/flat_layout.h"

#include <algorithm>

namespace heed::training {
namespace {

constexpr int64_t rounded_up(int64_t size, int64_t unit) { return (size + unit - 1) / unit * unit; }

}  // namespace

FlatLayout::FlatLayout(const std::vector<Tensor>& parameters) {
  TORCH_CHECK(!parameters.empty(), "no parameter to take gradients of");
  for (const Tensor& parameter : parameters) {
    begins_.push_back(size_);
    sizes_.push_back(parameter.numel());
    size_ += rounded_up(parameter.numel(), kGradientAlignment);
  }
  size_ = rounded_up(size_, kNormChunk);
}

std::vector<FlatPiece> FlatLayout::pieces(FlatRange range) const {
  std::vector<FlatPiece> found;
  const auto first = std::ranges::upper_bound(begins_, range.begin) - 1;
  for (auto parameter = static_cast<size_t>(first - begins_.begin()); parameter < begins_.size(); ++parameter) {
    const int64_t place = begins_[parameter];
    if (place >= range.end) break;
    const int64_t begin = std::max(place, range.begin), end = std::min(place + sizes_[parameter], range.end);
    if (begin >= end) continue;  // in the gap after the parameter
    found.push_back(
        {.parameter = parameter, .begin = begin - place, .size = end - begin, .place = begin - range.begin});
  }
  return found;
}

std::vector<FlatRange> buckets_of(int64_t size) {
  std::vector<FlatRange> buckets;
  for (int64_t begin = 0; begin < size; begin += kBucket) {
    buckets.push_back({.begin = begin, .end = std::min(begin + kBucket, size)});
  }
  return buckets;
}

std::vector<FlatRange> shares_of(FlatRange bucket, int64_t ranks) {
  const int64_t chunks = bucket.size() / kNormChunk;
  std::vector<FlatRange> shares;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    const auto edge = [&](int64_t before) {
      return bucket.begin + rounded_up(chunks * before, ranks) / ranks * kNormChunk;
    };
    shares.push_back({.begin = edge(rank), .end = edge(rank + 1)});
  }
  return shares;
}

std::vector<FlatRange> owned_by(int64_t rank, int64_t ranks, int64_t size) {
  std::vector<FlatRange> owned;
  for (const FlatRange bucket : buckets_of(size)) {
    const FlatRange share = shares_of(bucket, ranks)[static_cast<size_t>(rank)];
    if (share.size() > 0) owned.push_back(share);
  }
  return owned;
}

}  // namespace heed::training
