// Watches whether the other ranks are alive (heartbeats). Each rank counts up its beat in the store where the ranks
// meet, and reads the other ranks' beats. So all ranks notice a process that was killed, stopped or disconnected. A
// rank may still keep others waiting for any time.
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

struct HeartbeatOptions {
  int64_t rank = 0;
  std::vector<std::string> names = {};  ///< of all ranks, for messages: "rank 1 (process 4711 on node3)"
  std::chrono::milliseconds timeout{60'000};
  std::string meeting_place = {};  ///< of the store, for messages
  bool keeps_store = false;        ///< the store ends with this rank
};

class Heartbeat {
 public:
  /// Called once, on a thread of the watch, with a sentence that says which rank is lost.
  using OnLost = std::function<void(const std::string&)>;

  /// Only the watch may use `store`. Returns when all ranks have begun to watch. Throws RankError if one does not
  /// within the timeout.
  Heartbeat(c10::intrusive_ptr<c10d::Store> store, HeartbeatOptions terms, OnLost on_lost);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  /// Tells the other ranks that this rank ends. If the store ends with it, waits some seconds for them to read this.
  void give_up(const std::string& reason);
  /// Finds out which rank made an operation fail, as one sentence. Waits until this shows.
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
  /// The rank that was silent longest, if it was silent for this long.
  std::optional<std::string> silent(Clock::duration limit) const;
  std::optional<std::string> gave_up(Clock::duration ago) const;
  bool wait_for(std::chrono::milliseconds time);  // whether the watch continues

  c10::intrusive_ptr<c10d::Store> store_;
  HeartbeatOptions terms_;
  OnLost on_lost_;
  std::vector<std::string> keys_;
  std::chrono::milliseconds interval_;
  std::mutex store_mutex_;

  mutable std::mutex mutex_;  // of the members below
  std::condition_variable ending_;
  bool ended_ = false;
  bool given_up_ = false;
  std::vector<Peer> peers_;
  Clock::time_point reached_ = Clock::now();  // when the store was last reached
  std::string store_error_;

  std::thread beating_, guarding_;
};

}  // namespace heed::distributed
