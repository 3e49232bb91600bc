#include "heed_torch/distributed/c10d_ranks.h"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed_torch/distributed/nccl_backend.h"
#include "heed_torch/distributed/rank_error.h"
#include "heed_torch/distributed/rendezvous.h"
#include "heed_torch/distributed/store_feed.h"

#ifdef HEED_HAS_GLOO

// c10d's headers need these macros to declare everything. As compiler options they would keep GCC from using the
// precompiled header, which was made without them.
#define USE_DISTRIBUTED
#define USE_C10D_GLOO

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

namespace heed::distributed {
namespace {

using std::chrono::milliseconds;

/// Timeout of one operation. It is long, because Heartbeat finds lost ranks much earlier. A rank may rightly let others
/// wait for hours, such as the leader while it encodes a corpus.
constexpr std::chrono::hours kLongestWait(7 * 24);

/// The address from which this machine reaches the meeting place; other ranks can reach it there. A host's own name
/// often only means the loopback address.
std::string own_address(const Launch& launch) {
  const Addresses addresses = resolve(launch);
  for (const addrinfo* to = addresses.get(); to != nullptr; to = to->ai_next) {
    const int socket_ = socket(to->ai_family, to->ai_socktype, to->ai_protocol);
    if (socket_ < 0) continue;
    sockaddr_storage own{};
    socklen_t length = sizeof(own);
    auto* address = reinterpret_cast<sockaddr*>(&own);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
    const bool reached =
        ::connect(socket_, to->ai_addr, to->ai_addrlen) == 0 && getsockname(socket_, address, &length) == 0;
    ::close(socket_);
    std::array<char, NI_MAXHOST> text{};
    if (reached && getnameinfo(address, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0) {
      return text.data();
    }
  }
  throw RankError(fmt::format("MASTER_ADDR `{}` cannot be reached", launch.address));
}

std::shared_ptr<::gloo::transport::Device> device_of(const Launch& launch) {
  using c10d::ProcessGroupGloo;
  const auto interface = process_environment()("GLOO_SOCKET_IFNAME");  // as usual with Gloo
  return interface ? ProcessGroupGloo::createDeviceForInterface(*interface)
                   : ProcessGroupGloo::createDeviceForHostname(own_address(launch));
}

/// Replaces an error of `work` by one that names the rank at fault. watch: null before it begins.
template <class Work>
auto name_faults(const Work& work, Heartbeat* watch) {
  try {
    return work();
  } catch (const std::exception& error) {
    const std::string what(first_line(error));
    throw RankError(watch ? watch->find_fault(what) : what);
  }
}

class WatchedFeed : public BroadcastStream {
 public:
  WatchedFeed(std::unique_ptr<BroadcastStream> feed, Heartbeat& watch) : feed_(std::move(feed)), watch_(watch) {}
  void send(const std::string& block) override {
    name_faults([&] { feed_->send(block); }, &watch_);
  }
  std::optional<std::string> receive(const std::function<bool()>& gives_up) override {
    return name_faults([&] { return feed_->receive(gives_up); }, &watch_);
  }

 private:
  std::unique_ptr<BroadcastStream> feed_;
  Heartbeat& watch_;
};

class C10dRanks : public RankGroup {
 public:
  C10dRanks(const Launch& launch, const JoinOptions& terms, Met met, Heartbeat::OnLost on_lost)
      : launch_(launch), timeout_(terms.meeting.timeout), backend_(terms.backend), store_(std::move(met.store)) {
    watch_ = std::make_unique<Heartbeat>(connect_again(launch, timeout_),
                                         HeartbeatOptions{.rank = launch.rank,
                                                          .names = std::move(met.names),
                                                          .timeout = timeout_,
                                                          .meeting_place = kept_meeting_place(launch),
                                                          .keeps_store = keeps_store(launch)},
                                         std::move(on_lost));
    auto options = c10d::ProcessGroupGloo::Options::create(kLongestWait);
    options->devices.push_back(device_of(launch));
    guarded([&] {
      gloo_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store_, static_cast<int>(launch.rank),
                                                          static_cast<int>(launch.ranks), std::move(options));
    });
  }

  int64_t rank() const override { return launch_.rank; }
  int64_t size() const override { return launch_.ranks; }

  Wait exchange(Tensor received, Tensor sent, std::vector<int64_t> received_counts,
                std::vector<int64_t> sent_counts) override {
    if (goes_through_host(sent)) {
      const Tensor sent_there = sent.cpu();
      const Tensor received_there = at::empty(received.sizes(), sent_there.options());
      const Wait wait = exchange(received_there, sent_there, std::move(received_counts), std::move(sent_counts));
      return [wait, received, received_there] {
        wait();
        received.copy_(received_there);
      };
    }
    c10::intrusive_ptr<c10d::Work> work;
    guarded([&] { work = backend_of(sent).alltoall_base(received, sent, received_counts, sent_counts); });
    return [this, work, received, sent] { guarded([&] { work->wait(); }); };
  }

  void broadcast(Tensor values) override {
    in_place(values, [](c10d::Backend& backend, std::vector<Tensor>& tensors) { return backend.broadcast(tensors); });
  }

  void add(Tensor values) override {
    in_place(values, [](c10d::Backend& backend, std::vector<Tensor>& tensors) { return backend.allreduce(tensors); });
  }

  std::shared_ptr<BroadcastStream> open_broadcast() override {
    const std::string name = fmt::format("feed/{}", feeds_++);
    return std::make_shared<WatchedFeed>(
        feed_in_store(connect_again(launch_, timeout_), {.readers = size() - 1, .name = name}), *watch_);
  }

  void give_up(const std::string& reason) override { watch_->give_up(reason); }

  // The leader keeps the store until no rank needs it.
  void leave() override {
    static_cast<void>(RankGroup::add(std::vector<double>{1}));
    watch_.reset();
    if (nccl_) nccl_->shutdown();
    std::vector<std::string> keys;
    for (int64_t other = 1; other < size(); ++other) keys.push_back(fmt::format("left/{}", other));
    if (leads())
      store_->wait(keys, timeout_);
    else
      store_->set(fmt::format("left/{}", rank()), std::string("1"));
  }

 private:
  bool goes_through_host(const Tensor& values) const {
    return !values.is_cpu() && (backend_ == Backend::Gloo || !values.is_cuda());
  }

  /// The backend for `values`. All ranks come here with their first GPU tensor in the same operation.
  c10d::Backend& backend_of(const Tensor& values) {
    if (values.is_cpu()) return *gloo_;
    if (!nccl_) {
      nccl_ = nccl_backend(c10::make_intrusive<c10d::PrefixStore>("nccl", store_), launch_.rank, launch_.ranks);
    }
    return *nccl_;
  }

  /// Applies `operation` of the backend to `values`, which are contiguous.
  template <class Operation>
  void in_place(const Tensor& values, const Operation& operation) {
    if (goes_through_host(values)) {
      const Tensor there = values.cpu();
      in_place(there, operation);
      values.copy_(there);
      return;
    }
    guarded([&] {
      std::vector<Tensor> tensors{values};
      operation(backend_of(values), tensors)->wait();
    });
  }

  template <class Work>
  void guarded(const Work& work) {
    name_faults(work, watch_.get());
  }

  Launch launch_;
  milliseconds timeout_;
  int64_t feeds_ = 0;
  Backend backend_;
  Store store_;
  std::unique_ptr<Heartbeat> watch_;
  c10::intrusive_ptr<c10d::Backend> gloo_, nccl_;
};

}  // namespace

bool has_gloo() { return true; }

std::shared_ptr<RankGroup> join(const Launch& launch, const JoinOptions& terms, Heartbeat::OnLost on_lost) {
  return std::make_shared<C10dRanks>(launch, terms, meet(launch, terms.meeting), std::move(on_lost));
}

}  // namespace heed::distributed

#else

namespace heed::distributed {

bool has_gloo() { return false; }

// Training on one rank instead would start several trainings in one directory.
std::shared_ptr<RankGroup> join(const Launch& launch, const JoinOptions&, Heartbeat::OnLost) {
  throw Error(
      fmt::format("{} started {} ranks, but this heed was built without Gloo's headers and trains on one rank: "
                  "install libgloo-dev and build it again, or give --distributed.launcher none",
                  launch.launcher, launch.ranks));
}

}  // namespace heed::distributed

#endif
