#include "heed_torch/distributed/rendezvous.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <sys/socket.h>

#include <c10/util/Logging.h>
#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed_torch/distributed/rank_error.h"

namespace heed::distributed {
namespace {

using std::chrono::milliseconds;

/// Time limit of a store operation after connecting. It is long, since a rank may be late, for example at the start of
/// NCCL. Heartbeat finds lost ranks.
constexpr std::chrono::minutes kLongestOperation(10);

constexpr const char* kWayOut = "give each training a MASTER_PORT of its own";

std::string meeting_place(const Launch& launch) { return fmt::format("{}:{}", launch.address, launch.port); }

double in_seconds(milliseconds time) { return std::chrono::duration<double>(time).count(); }

Store connect(const Launch& launch, milliseconds timeout, bool serves) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(launch.port);
  options.isServer = serves;
  options.timeout = timeout;
  options.waitWorkers = false;
  auto store = c10::make_intrusive<c10d::TCPStore>(launch.address, options);
  store->setTimeout(kLongestOperation);
  return c10::make_intrusive<c10d::PrefixStore>(fmt::format("heed/{}", launch.attempt), std::move(store));
}

/// The cause at the end of c10d's message "The server socket has failed ... code: -98, name: EADDRINUSE, message:
/// address already in use".
std::string_view cause_of(const std::exception& error) {
  constexpr std::string_view kCause = "message: ";
  const std::string_view line = first_line(error);
  const size_t found = line.rfind(kCause);
  return found == std::string_view::npos ? line : line.substr(found + kCause.size());
}

/// aim: what this rank cannot do.
RankError failure(const Launch& launch, const char* aim, const std::exception& error) {
  return RankError(fmt::format("rank {} of {} cannot {} {} (MASTER_ADDR and MASTER_PORT): {}", launch.rank,
                               launch.ranks, aim, meeting_place(launch), cause_of(error)));
}

Store serve(const Launch& launch, milliseconds timeout) {
  try {
    return connect(launch, timeout, true);
  } catch (const std::exception& error) {
    throw RankError(fmt::format("{}; where another training meets there, {}",
                                failure(launch, "let the others meet at", error).what(), kWayOut));
  }
}

/// Waits for ranks in intervals, and reports after each interval which ranks are missing.
class Waiting {
 public:
  Waiting(const Launch& launch, const RendezvousOptions& terms) : launch_(launch), terms_(terms) {}

  /// The length of the next interval.
  milliseconds interval() const {
    return std::max(milliseconds(1), std::min(terms_.report, terms_.timeout - waited()));
  }
  /// Warns, or throws RankError after the timeout. reports: whether this rank should warn.
  void report(const std::string& missing, bool reports) const {
    if (waited() >= terms_.timeout) {
      throw RankError(fmt::format("{} did not reach {} within {} s (--distributed.timeout-seconds)", missing,
                                  meeting_place(launch_), in_seconds(terms_.timeout)));
    }
    if (!reports) return;
    log_warning(fmt::format("waiting for {} at {}: {:.0f} s of {} s (--distributed.timeout-seconds)", missing,
                            meeting_place(launch_), in_seconds(waited()), in_seconds(terms_.timeout)));
  }

 private:
  using Clock = std::chrono::steady_clock;
  milliseconds waited() const { return std::chrono::duration_cast<milliseconds>(Clock::now() - begin_); }

  const Launch& launch_;
  const RendezvousOptions& terms_;
  Clock::time_point begin_ = Clock::now();
};

/// "rank 1 of 2", "ranks 1, 2 and 5 of 8"
std::string shown_ranks(const std::vector<int64_t>& ranks, int64_t all) {
  constexpr size_t kShown = 12;
  std::vector<std::string> numbers;
  for (const int64_t rank : ranks) numbers.push_back(fmt::format("{}", rank));
  if (numbers.size() > kShown) {
    numbers.resize(kShown);
    numbers.push_back(fmt::format("{} others", ranks.size() - kShown));
  }
  return fmt::format("{} {} of {}", ranks.size() == 1 ? "rank" : "ranks", listed(numbers, "and"), all);
}

/// A connection to the store of rank 0 or of torchrun, which may start later.
Store reach(const Launch& launch, const Waiting& waiting) {
  while (true) {
    const milliseconds interval = waiting.interval();
    const auto begin = std::chrono::steady_clock::now();
    try {
      return connect(launch, interval, false);
    } catch (const std::exception& error) {
      if (std::chrono::steady_clock::now() - begin < interval) throw failure(launch, "meet the others at", error);
    }
    waiting.report(launch.meets_at_agent ? "torchrun" : shown_ranks({0}, launch.ranks), true);
  }
}

class Meeting {
 public:
  Meeting(const Launch& launch, const RendezvousOptions& terms)
      : launch_(launch),
        waiting_(launch, terms),
        own_(own_identity(launch, terms.model)),
        store_(keeps_store(launch) ? serve(launch, terms.timeout) : reach(launch, waiting_)) {
    for (int64_t rank = 0; rank < launch.ranks; ++rank) keys_.push_back(fmt::format("name/{}", rank));
  }

  /// A rank of another training writes nothing, so that the ranks of this training can still meet.
  Met meet() const {
    if (launch_.rank > 0) {
      wait_for({0});
      refuse_other_training(identity_of(0));
    }
    claim_rank();
    std::vector<int64_t> all;
    for (int64_t rank = 0; rank < launch_.ranks; ++rank) all.push_back(rank);
    wait_for(all);
    std::vector<std::string> names;
    for (const int64_t rank : all) names.push_back(fmt::format("rank {} ({})", rank, identity_of(rank).name));
    return {.store = store_, .names = std::move(names)};
  }

 private:
  const std::string& key(int64_t rank) const { return keys_[static_cast<size_t>(rank)]; }
  RankIdentity identity_of(int64_t rank) const { return read_identity(store_->get_to_str(key(rank))); }

  void refuse_other_training(const RankIdentity& leader) const {
    if (same_training(own_, leader)) return;
    throw RankError(fmt::format(
        "rank {} came to another training at {}: {} trains {} on {} ranks there, and this one "
        "trains {} on {}; {}",
        launch_.rank, meeting_place(launch_), leader.name, leader.path, leader.ranks, own_.path, own_.ranks, kWayOut));
  }

  /// torchrun refuses ranks of another training itself, and may keep one store through several starts of its ranks.
  void claim_rank() const {
    const std::string own = to_text(own_);
    if (launch_.meets_at_agent) return store_->set(key(launch_.rank), own);
    const std::string holder = store_->compareSet(key(launch_.rank), std::string(), own);
    if (holder == own) return;
    throw RankError(fmt::format("another rank {} of {} is at {} already, {}; {}", launch_.rank, launch_.ranks,
                                meeting_place(launch_), read_identity(holder).name, kWayOut));
  }

  /// Rank 0 warns of missing ranks. While rank 0 is missing itself, every rank warns.
  void wait_for(const std::vector<int64_t>& ranks) const {
    std::vector<std::string> keys;
    for (const int64_t rank : ranks) keys.push_back(key(rank));
    while (true) {
      try {
        return store_->wait(keys, waiting_.interval());
      } catch (const std::exception&) {
        const std::vector<int64_t> missing = missing_of(ranks);
        if (missing.empty()) return;
        const bool lower_is_there = missing.front() > 0 && launch_.rank > 0;
        waiting_.report(shown_ranks(missing, launch_.ranks), !lower_is_there);
      }
    }
  }

  std::vector<int64_t> missing_of(const std::vector<int64_t>& ranks) const {
    std::vector<int64_t> missing;
    try {
      std::ranges::copy_if(ranks, std::back_inserter(missing),
                           [&](int64_t rank) { return !store_->check({key(rank)}); });
    } catch (const std::exception&) {
      throw RankError(fmt::format("the meeting place of the ranks at {} is gone", meeting_place(launch_)));
    }
    return missing;
  }

  const Launch& launch_;
  Waiting waiting_;
  RankIdentity own_;
  Store store_;
  std::vector<std::string> keys_;
};

}  // namespace

bool keeps_store(const Launch& launch) { return launch.rank == 0 && !launch.meets_at_agent; }

std::string kept_meeting_place(const Launch& launch) {
  return fmt::format("{} ({})", meeting_place(launch), launch.meets_at_agent ? "of torchrun" : "of rank 0");
}

Addresses resolve(const Launch& launch) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int failed = getaddrinfo(launch.address.c_str(), std::to_string(launch.port).c_str(), &hints, &found);
  if (failed == 0) return {found, &freeaddrinfo};
  throw RankError(fmt::format("rank {} of {} cannot find the host `{}` (MASTER_ADDR), where the ranks meet: {}",
                              launch.rank, launch.ranks, launch.address, gai_strerror(failed)));
}

Met meet(const Launch& launch, const RendezvousOptions& terms) {
  // c10d logs failed attempts and lost connections with a stack trace. RankError says what matters.
  constexpr int kFatal = 3;  // glog's level
  if (!process_environment()("TORCH_CPP_LOG_LEVEL")) FLAGS_caffe2_log_level = kFatal;
  static_cast<void>(resolve(launch));  // for its error
  return Meeting(launch, terms).meet();
}

Store connect_again(const Launch& launch, milliseconds timeout) {
  try {
    return connect(launch, timeout, false);
  } catch (const std::exception& error) {
    throw failure(launch, "meet the others at", error);
  }
}

}  // namespace heed::distributed
