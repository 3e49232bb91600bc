#include "heed_torch/training/optimization/sharded_optimizer.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/report/training_clock.h"

namespace heed::training {
namespace {

std::vector<Tensor> tensors_of(const NamedParameters& parameters) {
  std::vector<Tensor> tensors;
  for (const auto& [name, tensor] : parameters) tensors.push_back(tensor);
  return tensors;
}

/// The names before the slashes of an optimizer's state: "mean", "square".
std::vector<std::string> slots_of(const std::map<std::string, Tensor>& state) {
  std::vector<std::string> slots;
  for (const auto& [name, tensor] : state) {
    const std::string slot = name.substr(0, name.find('/'));
    if (slot.size() < name.size() && std::ranges::find(slots, slot) == slots.end()) slots.push_back(slot);
  }
  return slots;
}

std::vector<int64_t> sizes_of(const std::vector<FlatRange>& shares) {
  std::vector<int64_t> sizes;
  for (const FlatRange share : shares) sizes.push_back(share.size());
  return sizes;
}

}  // namespace

ShardedOptimizer::ShardedOptimizer(const OptimizerOptions& options, NamedParameters parameters,
                                   std::shared_ptr<distributed::RankGroup> ranks, double ema_decay)
    : parameters_(std::move(parameters)),
      ranks_(std::move(ranks)),
      layout_(tensors_of(parameters_)),
      has_average_(ema_decay > 0) {
  validate(options);
  for (const auto& [name, parameter] : parameters_) flat_parameters_.push_back(parameter.detach().view(-1));
  NamedParameters own;
  for (const FlatRange range : owned_by(ranks_->rank(), ranks_->size(), layout_.size())) {
    for (const FlatPiece& piece : layout_.pieces(range)) {
      owned_.push_back({.parameter = piece.parameter,
                        .begin = piece.begin,
                        .place = range.begin + piece.place,
                        .values = flat_parameters_[piece.parameter].narrow(0, piece.begin, piece.size),
                        .name = fmt::format("{}@{}", parameters_[piece.parameter].first, piece.begin)});
      own.emplace_back(owned_.back().name, owned_.back().values);
    }
  }
  if (!own.empty()) own_ = make_optimizer(options, own, ema_decay);
}

void ShardedOptimizer::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  for (const Owned& owned : owned_) {
    const Tensor& gradient = parameters_[owned.parameter].second.grad();
    TORCH_CHECK(gradient.defined(), "`", parameters_[owned.parameter].first, "` has no gradient");
    owned.values.mutable_grad() = gradient.view(-1).narrow(0, owned.begin, owned.values.numel());
  }
  if (own_) own_->step(learning_rate);
  share_parameters();
}

void ShardedOptimizer::copy_average_to_parameters() {
  const at::NoGradGuard no_grad;
  if (own_) own_->copy_average_to_parameters();
  share_parameters();
}

/// Sends this rank's parameters to all others, bucket by bucket: one bucket is sent while the next is prepared.
void ShardedOptimizer::share_parameters() {
  struct OnItsWay {
    FlatRange range;
    Tensor received;
    distributed::Wait wait;
  };
  std::optional<OnItsWay> before;
  const auto take = [&] {
    const auto start = Clock::now();
    before->wait();
    shared_work_.seconds_waited += seconds_since(start);
    unpack(before->received, before->range, flat_parameters_);
  };
  std::vector<Tensor> stretches;
  for (const Owned& owned : owned_) stretches.push_back(owned.values);
  for (const FlatRange range : buckets_of(layout_.size())) {
    const std::vector<FlatRange> shares = shares_of(range, ranks_->size());
    const FlatRange own = shares[static_cast<size_t>(ranks_->rank())];
    const Tensor sent = packed(own, stretches).repeat({ranks_->size()});
    const Tensor received = at::empty({range.size()}, sent.options());
    shared_work_.bytes_sent += own.size() * (ranks_->size() - 1) * received.element_size();
    OnItsWay next{
        .range = range,
        .received = received,
        .wait = ranks_->exchange(received, sent, sizes_of(shares), std::vector<int64_t>(shares.size(), own.size()))};
    if (before) take();
    before = std::move(next);
  }
  take();
}

/// The values of `stretches` (laid out like owned_) within `share`, one of this rank's ranges, in one tensor.
Tensor ShardedOptimizer::packed(FlatRange share, const std::vector<Tensor>& stretches) const {
  Tensor packed = at::zeros({share.size()}, flat_parameters_[0].options());
  for (size_t i = 0; i < owned_.size(); ++i) {
    const int64_t place = owned_[i].place - share.begin;
    if (place >= 0 && place < share.size()) packed.narrow(0, place, stretches[i].numel()).copy_(stretches[i]);
  }
  return packed;
}

/// Copies a bucket into tensors that are flat and have the parameters' sizes.
void ShardedOptimizer::unpack(const Tensor& bucket, FlatRange range, const std::vector<Tensor>& flat) const {
  for (const FlatPiece& piece : layout_.pieces(range)) {
    flat[piece.parameter].narrow(0, piece.begin, piece.size).copy_(bucket.narrow(0, piece.place, piece.size));
  }
}

/// Collects the values of all ranks on rank 0, flat and with the parameters' sizes; empty on other ranks.
std::vector<Tensor> ShardedOptimizer::collect(const std::vector<Tensor>& stretches) const {
  std::vector<Tensor> flat;
  if (ranks_->leads()) {
    for (const Tensor& parameter : flat_parameters_) flat.push_back(at::empty_like(parameter));
  }
  for (const FlatRange range : buckets_of(layout_.size())) {
    const std::vector<FlatRange> shares = shares_of(range, ranks_->size());
    const Tensor sent = packed(shares[static_cast<size_t>(ranks_->rank())], stretches);
    std::vector<int64_t> sent_counts(shares.size(), 0), received_counts(shares.size(), 0);
    sent_counts[0] = sent.numel();
    if (ranks_->leads()) received_counts = sizes_of(shares);
    const Tensor received = at::empty({ranks_->leads() ? range.size() : 0}, sent.options());
    ranks_->exchange(received, sent, received_counts, sent_counts)();
    if (ranks_->leads()) unpack(received, range, flat);
  }
  return flat;
}

std::map<std::string, Tensor> ShardedOptimizer::state() const {
  const at::NoGradGuard no_grad;
  const std::map<std::string, Tensor> own = own_ ? own_->state() : std::map<std::string, Tensor>{};
  std::istringstream slots(ranks_->broadcast(fmt::format("{}", fmt::join(slots_of(own), " "))));  // rank 0 owns some
  std::map<std::string, Tensor> state;
  for (std::string slot; slots >> slot;) {
    std::vector<Tensor> stretches;
    for (const Owned& owned : owned_) stretches.push_back(own.at(slot + '/' + owned.name));
    const std::vector<Tensor> flat = collect(stretches);
    for (size_t i = 0; i < flat.size(); ++i) {
      const auto& [name, parameter] = parameters_[i];
      state[slot + '/' + name] = flat[i].view(parameter.sizes());
    }
  }
  if (ranks_->leads()) state["step"] = own.at("step");
  return state;
}

void ShardedOptimizer::load(const std::map<std::string, Tensor>& saved, const std::string& path) {
  if (!own_) return;
  std::map<std::string, Tensor> own{{"step", saved_tensor(saved, "step", {}, path)}};
  for (const std::string& slot : slots_of(own_->state())) {
    for (const auto& [name, parameter] : parameters_) {
      static_cast<void>(saved_tensor(saved, slot + '/' + name, parameter.sizes(), path));
    }
    for (const Owned& owned : owned_) {
      const Tensor& whole = saved.at(slot + '/' + parameters_[owned.parameter].first);
      own[slot + '/' + owned.name] = whole.reshape(-1).narrow(0, owned.begin, owned.values.numel());
    }
  }
  own_->load(own, path);
}

}  // namespace heed::training
