// Whether the other ranks live. Each counts up its beat in the store where the ranks meet, and reads those of the
// others: so a process that was killed, stopped or cut off is noticed by all, however long a rank may rightly keep
// others waiting.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace heed::distributed {

struct WatchTerms {
  int64_t rank = 0;
  std::vector<std::string> names = {};  ///< of all ranks, for people: "rank 1 (process 4711 on node3)"
  std::chrono::milliseconds timeout{60'000};
  std::string meeting_place = {};  ///< of the store, for people
  bool keeps_store = false;        ///< the store ends with this rank
};

class RankWatch {
 public:
  /// Told once, on a thread of the watch, in one sentence: which rank is lost.
  using OnLost = std::function<void(const std::string&)>;

  /// `store` is the watch's alone. Returns when all ranks have begun to watch. Throws RankError where one does not
  /// within the timeout.
  RankWatch(c10::intrusive_ptr<c10d::Store> store, WatchTerms terms, OnLost on_lost);
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  /// Tells the others that this rank ends; where the store ends with it, waits until they have heard, for some seconds.
  void give_up(const std::string& reason);
  /// Something sent to or from others failed: whose fault it is, in one sentence. Waits until that shows.
  std::string find_fault(const std::string& failure);

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    std::string beat = {};
    Clock::time_point heard = Clock::now();
    std::optional<std::string> reason = std::nullopt;  // why it gave up
  };
  void beat();
  void guard();
  void read_beats();
  bool learn(const std::vector<std::vector<uint8_t>>& beats);
  void acknowledge();
  void wait_until_heard();
  std::vector<std::string> heard_keys() const;
  void tell(const std::string& value);
  bool tell_beat(int64_t count);
  /// The rank that was silent longest, if it was for this long.
  std::optional<std::string> silent(Clock::duration limit) const;
  std::optional<std::string> gave_up(Clock::duration ago) const;
  bool wait_for(std::chrono::milliseconds time);  // whether the watch goes on

  c10::intrusive_ptr<c10d::Store> store_;
  WatchTerms terms_;
  OnLost on_lost_;
  std::vector<std::string> keys_;
  std::chrono::milliseconds interval_;
  std::mutex store_mutex_;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable ending_;
  bool ended_ = false;
  bool given_up_ = false;
  std::vector<Peer> peers_;
  Clock::time_point reached_ = Clock::now();  // the store
  std::string store_error_;

  std::thread beating_, guarding_;
};

}  // namespace heed::distributed
