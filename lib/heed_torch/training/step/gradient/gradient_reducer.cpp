#include "heed_torch/training/step/gradient/gradient_reducer.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "heed/report/training_clock.h"

namespace heed::training {
namespace {

using distributed::GradientFormat;
using distributed::Wait;

struct Held {
  MicroBatchRange node;
  Tensor sum;
};
using HeldNodes = std::map<size_t, Held>;  // by their first part

/// The sum of the node's parts. It overwrites one of the sums in `held`.
Tensor add_up(MicroBatchRange node, const HeldNodes& held, GradientFormat form) {
  const auto found = held.find(node.begin);
  if (found != held.end() && found->second.node == node) return found->second.sum;
  Tensor sum = add_up({.begin = node.begin, .end = middle(node)}, held, form);
  sum.add_(add_up({.begin = middle(node), .end = node.end}, held, form));
  if (form == GradientFormat::Bf16) round_to_bfloat16(sum);
  return sum;
}

/// All sums' first slices, then all second slices, and so on, in one tensor; `nothing` if there are no sums.
Tensor slice_by_slice(const std::vector<Tensor>& sums, const std::vector<int64_t>& slices, const Tensor& nothing) {
  if (sums.empty()) return nothing;
  if (sums.size() == 1) return sums[0];
  std::vector<Tensor> pieces;
  int64_t begin = 0;
  for (const int64_t slice : slices) {
    for (const Tensor& sum : sums) pieces.push_back(sum.narrow(0, begin, slice));
    begin += slice;
  }
  return at::cat(pieces);
}

}  // namespace

GradientReducer::GradientReducer(std::shared_ptr<distributed::RankGroup> ranks, GradientFormat form, GradientOf wanted)
    : ranks_(std::move(ranks)), form_(form), wanted_(wanted) {}

void GradientReducer::begin(size_t parts) {
  parts_ = parts;
  nodes_.clear();
  const auto ranks = static_cast<size_t>(ranks_->size());
  for (size_t rank = 0; rank < ranks; ++rank) nodes_.push_back(nodes_within(share_of(parts, rank, ranks), parts));
}

void GradientReducer::add(std::span<const NodeSum> own, const Tensor& total, FlatRange bucket) {
  const at::NoGradGuard no_grad;
  Bucket next = send_sums(own, total, bucket);
  go_on();
  sums_ = std::move(next);
}

void GradientReducer::finish() {
  const at::NoGradGuard no_grad;
  go_on();
  go_on();
}

void GradientReducer::go_on() {
  if (totals_) take_total(*totals_);
  totals_ = std::exchange(sums_, std::nullopt);
  if (totals_) keep_or_send_total(*totals_);
}

/// Sends this rank's sums of a bucket to the ranks that own its ranges.
GradientReducer::Bucket GradientReducer::send_sums(std::span<const NodeSum> own, const Tensor& total, FlatRange range) {
  Bucket bucket{.total = total.narrow(0, range.begin, range.size()), .shares = shares_of(range, ranks_->size())};
  for (FlatRange& share : bucket.shares) {
    share = {.begin = share.begin - range.begin, .end = share.end - range.begin};
    bucket.sizes.push_back(share.size());
  }
  std::vector<Tensor> sums;
  for (const NodeSum& sum : own) sums.push_back(on_the_wire(sum.in(range)));
  bucket.sent = slice_by_slice(sums, bucket.sizes, on_the_wire(bucket.total.narrow(0, 0, 0)));
  std::vector<int64_t> sent_counts, received_counts;
  const int64_t own_size = bucket.sizes[static_cast<size_t>(ranks_->rank())];
  for (size_t rank = 0; rank < nodes_.size(); ++rank) {
    sent_counts.push_back(bucket.sizes[rank] * std::ssize(own));
    received_counts.push_back(own_size * std::ssize(nodes_[rank]));
  }
  send(bucket, std::move(received_counts), std::move(sent_counts));
  return bucket;
}

/// The sum of this rank's range of a bucket.
Tensor GradientReducer::add_received(Bucket& bucket) {
  receive(bucket);
  const Tensor received = bucket.received.to(at::kFloat);
  const int64_t size = bucket.sizes[static_cast<size_t>(ranks_->rank())];
  HeldNodes held;
  int64_t place = 0;
  for (const auto& nodes : nodes_) {
    for (const MicroBatchRange node : nodes) {
      held[node.begin] = {.node = node, .sum = received.narrow(0, place, size)};
      place += size;
    }
  }
  return add_up({.begin = 0, .end = parts_}, held, form_);
}

/// Stores the sum of this rank's range of a bucket, or sends it to all ranks.
void GradientReducer::keep_or_send_total(Bucket& bucket) {
  const Tensor sum = add_received(bucket);
  const auto rank = static_cast<size_t>(ranks_->rank());
  if (wanted_ == GradientOf::Owned) {
    bucket.total.narrow(0, bucket.shares[rank].begin, bucket.sizes[rank]).copy_(sum);
    return;
  }
  bucket.sent = on_the_wire(sum).repeat({ranks_->size()});
  send(bucket, bucket.sizes, std::vector<int64_t>(nodes_.size(), bucket.sizes[rank]));
}

/// Receives the sums of the ranges that other ranks own.
void GradientReducer::take_total(Bucket& bucket) {
  if (wanted_ == GradientOf::Owned) return;
  receive(bucket);
  bucket.total.copy_(bucket.received);
}

void GradientReducer::send(Bucket& bucket, std::vector<int64_t> received_counts, std::vector<int64_t> sent_counts) {
  const int64_t received = std::accumulate(received_counts.begin(), received_counts.end(), int64_t{0});
  const int64_t kept = sent_counts[static_cast<size_t>(ranks_->rank())];
  bytes_sent_ += (bucket.sent.numel() - kept) * bucket.sent.element_size();
  bucket.received = at::empty({received}, bucket.sent.options());
  bucket.wait = ranks_->exchange(bucket.received, bucket.sent, std::move(received_counts), std::move(sent_counts));
}

void GradientReducer::receive(Bucket& bucket) {
  const auto start = Clock::now();
  bucket.wait();
  seconds_waited_ += seconds_since(start);
}

Tensor GradientReducer::on_the_wire(const Tensor& values) const {
  return form_ == GradientFormat::Bf16 ? as_bfloat16(values) : values;
}

}  // namespace heed::training
