#include "heed_torch/distributed/rank_group.h"

#include <cstring>
#include <utility>

#include <ATen/ATen.h>

#include "heed/core/error.h"

namespace heed::distributed {
namespace {

class OneRank : public RankGroup {
 public:
  int64_t rank() const override { return 0; }
  int64_t size() const override { return 1; }
  Wait exchange(Tensor received, Tensor sent, std::vector<int64_t>, std::vector<int64_t>) override {
    received.copy_(sent);
    return [] {};
  }
  void broadcast(Tensor) override {}
  void add(Tensor) override {}
  std::shared_ptr<BroadcastStream> open_broadcast() override {
    check(false, "a rank by itself has nobody to feed");
    return nullptr;
  }
  void give_up(const std::string&) override {}
  void leave() override {}
};

Tensor bytes_of(const std::string& text) {
  Tensor bytes = at::empty({static_cast<int64_t>(text.size())}, at::kByte);
  if (!text.empty()) std::memcpy(bytes.mutable_data_ptr(), text.data(), text.size());
  return bytes;
}

std::string text_of(const Tensor& bytes) {
  return {static_cast<const char*>(bytes.const_data_ptr()), static_cast<size_t>(bytes.numel())};
}

}  // namespace

std::string RankGroup::broadcast(std::string text) {
  Tensor length = at::full({1}, static_cast<int64_t>(text.size()), at::kLong);
  broadcast(length);
  text.resize(static_cast<size_t>(length.item<int64_t>()));
  if (text.empty()) return text;
  Tensor bytes = bytes_of(text);
  broadcast(bytes);
  return text_of(bytes);
}

std::vector<std::string> RankGroup::gather(const std::string& text) {
  std::vector<double> sizes(static_cast<size_t>(size()), 0);
  sizes[static_cast<size_t>(rank())] = static_cast<double>(text.size());
  std::vector<int64_t> received_counts;
  int64_t total = 0;
  for (const double length : add(std::move(sizes))) {
    received_counts.push_back(static_cast<int64_t>(length));
    total += received_counts.back();
  }
  const Tensor received = at::empty({total}, at::kByte);
  const Tensor sent = bytes_of(text).repeat({size()});
  const std::vector<int64_t> sent_counts(static_cast<size_t>(size()), static_cast<int64_t>(text.size()));
  exchange(received, sent, received_counts, sent_counts)();
  std::vector<std::string> texts;
  int64_t begin = 0;
  for (const int64_t count : received_counts) {
    texts.push_back(text_of(received.narrow(0, begin, count)));
    begin += count;
  }
  return texts;
}

std::vector<double> RankGroup::add(std::vector<double> values) {
  const Tensor sums = at::from_blob(values.data(), {static_cast<int64_t>(values.size())}, at::kDouble);
  add(sums);
  return values;
}

std::shared_ptr<RankGroup> one_rank() { return std::make_shared<OneRank>(); }

}  // namespace heed::distributed
