#include "heed_torch/training/optimization/sharded_optimizer.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/accumulate.h>
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

/// Ranges of whole parameters of similar size.
std::vector<FlatRange> shares_of_parameters(const FlatLayout& layout, int64_t ranks) {
  std::vector<FlatRange> shares;
  int64_t begin = 0;
  for (int64_t rank = 1; rank <= ranks; ++rank) {
    const auto next = std::ranges::lower_bound(layout.begins(), layout.size() * rank / ranks);
    const int64_t end = next == layout.begins().end() ? layout.size() : *next;
    shares.push_back({.begin = begin, .end = end});
    begin = end;
  }
  return shares;
}

/// Whether a tensor of the state belongs to no parameter.
bool is_scalar(const std::string& name) { return name.find('/') == std::string::npos; }

/// "NAME SIZE SIZE..." of each tensor of a parameter, one per line.
std::string list_of(const std::map<std::string, Tensor>& state) {
  std::string list;
  for (const auto& [name, tensor] : state) {
    if (!is_scalar(name)) list += fmt::format("{} {}\n", name, fmt::join(tensor.sizes(), " "));
  }
  return list;
}

}  // namespace

ShardedOptimizer::ShardedOptimizer(const OptimizerOptions& options, NamedParameters parameters,
                                   std::shared_ptr<distributed::RankGroup> ranks, double ema_decay)
    : parameters_(std::move(parameters)),
      ranks_(std::move(ranks)),
      layout_(tensors_of(parameters_)),
      owns_whole_parameters_(needs_whole_parameters(options)),
      buckets_(buckets()),
      has_average_(ema_decay > 0 || averages(options)) {
  validate(options);
  for (const auto& [name, parameter] : parameters_) flat_parameters_.push_back(parameter.detach().view(-1));
  NamedParameters own;
  for (const Bucket& bucket : buckets_) {
    const FlatRange range = bucket.shares[static_cast<size_t>(ranks_->rank())];
    if (range.size() == 0) continue;
    for (const FlatPiece& piece : layout_.pieces(range)) {
      const auto& [name, parameter] = parameters_[piece.parameter];
      const Tensor stretch = flat_parameters_[piece.parameter].narrow(0, piece.begin, piece.size);
      owned_.push_back({.parameter = piece.parameter,
                        .begin = piece.begin,
                        .place = range.begin + piece.place,
                        .values = owns_whole_parameters_ ? parameter.detach() : stretch,
                        .name = owns_whole_parameters_ ? name : fmt::format("{}@{}", name, piece.begin)});
      own.emplace_back(owned_.back().name, owned_.back().values);
    }
  }
  if (!own.empty()) own_ = make_optimizer(options, own, ema_decay);
}

std::vector<ShardedOptimizer::Bucket> ShardedOptimizer::buckets() const {
  const int64_t size = layout_.size();
  if (owns_whole_parameters_) {
    return {{.range = {.begin = 0, .end = size}, .shares = shares_of_parameters(layout_, ranks_->size())}};
  }
  std::vector<Bucket> buckets;
  for (const FlatRange range : buckets_of(size)) {
    buckets.push_back({.range = range, .shares = shares_of(range, ranks_->size())});
  }
  return buckets;
}

void ShardedOptimizer::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  for (const Owned& owned : owned_) {
    const Tensor& gradient = parameters_[owned.parameter].second.grad();
    TORCH_CHECK(gradient.defined(), "`", parameters_[owned.parameter].first, "` has no gradient");
    owned.values.mutable_grad() =
        gradient.view(-1).narrow(0, owned.begin, owned.values.numel()).view(owned.values.sizes());
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
    unpack(before->received, before->range);
  };
  for (const auto& [range, shares] : buckets_) {
    const FlatRange own = shares[static_cast<size_t>(ranks_->rank())];
    const Tensor sent = packed(own).repeat({ranks_->size()});
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

/// The values of owned_ within `share`, one of this rank's ranges, in one tensor.
Tensor ShardedOptimizer::packed(FlatRange share) const {
  Tensor packed = at::zeros({share.size()}, flat_parameters_[0].options());
  for (const Owned& owned : owned_) {
    const int64_t place = owned.place - share.begin, size = owned.values.numel();
    if (place >= 0 && place < share.size()) packed.narrow(0, place, size).copy_(owned.values.view(-1));
  }
  return packed;
}

/// Copies a bucket into the parameters.
void ShardedOptimizer::unpack(const Tensor& bucket, FlatRange range) const {
  for (const FlatPiece& piece : layout_.pieces(range)) {
    flat_parameters_[piece.parameter]
        .narrow(0, piece.begin, piece.size)
        .copy_(bucket.narrow(0, piece.place, piece.size));
  }
}

std::map<std::string, Tensor> ShardedOptimizer::state() const {
  const at::NoGradGuard no_grad;
  const std::map<std::string, Tensor> own = own_ ? own_->state() : std::map<std::string, Tensor>{};
  std::map<std::string, Tensor> state;
  for (const auto& [name, tensor] : own) {
    if (ranks_->leads() && is_scalar(name)) state[name] = tensor;  // rank 0 owns some parameters
  }
  const std::vector<std::string> lists = ranks_->gather(list_of(own));
  for (size_t owner = 0; owner < lists.size(); ++owner) {
    std::istringstream lines(lists[owner]);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string name;
      words >> name;
      std::vector<int64_t> shape;
      for (int64_t size = 0; words >> size;) shape.push_back(size);
      const Tensor values = on_rank_0(static_cast<int64_t>(owner) == ranks_->rank() ? own.at(name) : Tensor(), owner,
                                      c10::multiply_integers(shape));
      if (ranks_->leads()) place_in(state, name, shape).copy_(values.view(shape));
    }
  }
  return state;
}

/// Sends a tensor of the rank `owner` to rank 0. own: on that rank. -> [size] on rank 0.
Tensor ShardedOptimizer::on_rank_0(const Tensor& own, size_t owner, int64_t size) const {
  const at::TensorOptions options = flat_parameters_[0].options();
  const auto ranks = static_cast<size_t>(ranks_->size());
  std::vector<int64_t> sent_counts(ranks, 0), received_counts(ranks, 0);
  if (own.defined()) sent_counts[0] = size;
  if (ranks_->leads()) received_counts[owner] = size;
  const Tensor sent = own.defined() ? own.reshape(-1) : at::empty({0}, options);
  const Tensor received = at::empty({ranks_->leads() ? size : 0}, options);
  ranks_->exchange(received, sent, received_counts, sent_counts)();
  return received;
}

/// The place of a rank's tensor in the whole state: "mean/NAME@4096" is a range of "mean/NAME".
Tensor ShardedOptimizer::place_in(std::map<std::string, Tensor>& state, const std::string& name,
                                  at::IntArrayRef shape) const {
  const at::TensorOptions options = flat_parameters_[0].options();
  if (owns_whole_parameters_) return state[name] = at::empty(shape, options);
  const size_t mark = name.rfind('@');
  const std::string whole = name.substr(0, mark), parameter = whole.substr(whole.find('/') + 1);
  const auto found = std::ranges::find(parameters_, parameter, &NamedParameters::value_type::first);
  Tensor& tensor = state[whole];
  if (!tensor.defined()) tensor = at::empty(found->second.sizes(), options);
  return tensor.view(-1).narrow(0, std::stoll(name.substr(mark + 1)), shape[0]);
}

void ShardedOptimizer::load(const std::map<std::string, Tensor>& saved, const std::string& path) {
  if (!own_) return;
  std::map<std::string, Tensor> own = own_->state();
  const std::vector<std::string> slots = owns_whole_parameters_ ? std::vector<std::string>{} : slots_of(own);
  if (!owns_whole_parameters_) std::erase_if(own, [](const auto& entry) { return !is_scalar(entry.first); });
  for (auto& [name, tensor] : own) tensor = saved_tensor(saved, name, tensor.sizes(), path);
  for (const std::string& slot : slots) {
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
