#include "heed_torch/distributed/heartbeat.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heed/core/log.h"
#include "heed_torch/distributed/rank_error.h"

namespace heed::distributed {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBeat(1000);
constexpr int kMissedBeats = 5;               // after which a rank whose connections broke is suspect
constexpr std::string_view kGaveUp = "end ";  // prefix of the last beat of a rank that gives up; its reason follows

std::vector<uint8_t> bytes(std::string_view text) { return {text.begin(), text.end()}; }

std::string heard_key(int64_t rank) { return fmt::format("heard/{}", rank); }

std::string seconds(std::chrono::steady_clock::duration time) {
  return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

}  // namespace

Heartbeat::Heartbeat(c10::intrusive_ptr<c10d::Store> store, HeartbeatOptions terms, OnLost on_lost)
    : store_(std::move(store)),
      terms_(std::move(terms)),
      on_lost_(std::move(on_lost)),
      interval_(std::min(kBeat, terms_.timeout / (2 * kMissedBeats))) {
  for (size_t rank = 0; rank < terms_.names.size(); ++rank) keys_.push_back(fmt::format("beat/{}", rank));
  tell("0");
  try {
    store_->wait(keys_, terms_.timeout);
  } catch (const std::exception& error) {
    for (size_t rank = 0; rank < keys_.size(); ++rank) {
      if (!store_->check({keys_[rank]})) throw RankError(terms_.names[rank] + " did not begin with the others");
    }
    throw RankError(fmt::format("the ranks cannot meet at {}: {}", terms_.meeting_place, first_line(error)));
  }
  peers_.resize(keys_.size());
  beating_ = std::thread([this] { beat(); });
  guarding_ = std::thread([this] { guard(); });
}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_all();
  beating_.join();
  guarding_.join();
}

void Heartbeat::tell(const std::string& value) {
  const std::lock_guard lock(store_mutex_);
  store_->set(keys_[static_cast<size_t>(terms_.rank)], bytes(value));
}

void Heartbeat::give_up(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    if (gave_up(Clock::duration::zero())) return;  // all ranks know of that one
  }
  try {
    tell(std::string(kGaveUp) + reason);
    acknowledge();
    if (terms_.keeps_store) wait_until_heard();
  } catch (const std::exception& error) {
    log_warning(
        fmt::format("the other ranks could not be told, and notice it after the timeout: {}", first_line(error)));
  }
}

void Heartbeat::wait_until_heard() {
  const Clock::time_point begin = Clock::now();
  while (Clock::now() - begin < kMissedBeats * interval_) {
    const std::vector<std::string> heard = heard_keys();
    {
      const std::lock_guard lock(store_mutex_);
      if (store_->check(heard)) return;
    }
    std::this_thread::sleep_for(interval_ / 20);
  }
}

/// The keys of the other ranks that are alive.
std::vector<std::string> Heartbeat::heard_keys() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> keys;
  for (int64_t rank = 0; rank < std::ssize(peers_); ++rank) {
    const bool lives = reached_ - peers_[static_cast<size_t>(rank)].heard < kMissedBeats * interval_;
    if (rank != terms_.rank && lives) keys.push_back(heard_key(rank));
  }
  return keys;
}

/// False after give_up(), whose beat stays the last.
bool Heartbeat::tell_beat(int64_t count) {
  const std::lock_guard lock(store_mutex_);
  {
    const std::lock_guard state(mutex_);
    if (given_up_) return false;
  }
  store_->set(keys_[static_cast<size_t>(terms_.rank)], bytes(std::to_string(count)));
  return true;
}

bool Heartbeat::wait_for(milliseconds time) {
  std::unique_lock lock(mutex_);
  return !ending_.wait_for(lock, time, [this] { return ended_; });
}

void Heartbeat::beat() {
  for (int64_t count = 1; wait_for(interval_); ++count) {
    try {
      if (!tell_beat(count)) return;
      read_beats();
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      store_error_ = error.what();
    }
  }
}

void Heartbeat::read_beats() {
  std::vector<std::vector<uint8_t>> beats;
  {
    const std::lock_guard lock(store_mutex_);
    for (const std::string& key : keys_) beats.push_back(store_->get(key));
  }
  if (learn(beats)) acknowledge();
}

/// Tells the others that this rank knows why the training ends.
void Heartbeat::acknowledge() {
  const std::lock_guard lock(store_mutex_);
  store_->set(heard_key(terms_.rank), bytes("1"));
}

/// Whether the beats contain news that a rank has given up.
bool Heartbeat::learn(const std::vector<std::vector<uint8_t>>& beats) {
  const std::lock_guard lock(mutex_);
  reached_ = Clock::now();
  store_error_.clear();
  bool is_news = false;
  for (size_t rank = 0; rank < beats.size(); ++rank) {
    std::string beat(beats[rank].begin(), beats[rank].end());
    Peer& peer = peers_[rank];
    if (beat == peer.beat) continue;
    peer.heard = reached_;
    if (beat.starts_with(kGaveUp)) peer.reason = beat.substr(kGaveUp.size());
    is_news |= peer.reason.has_value();
    peer.beat = std::move(beat);
  }
  return is_news;
}

std::optional<std::string> Heartbeat::silent(Clock::duration limit) const {
  const auto longest = std::ranges::min_element(peers_, {}, &Peer::heard);
  const Clock::duration silence = reached_ - longest->heard;
  if (silence < limit || longest->reason) return std::nullopt;
  return fmt::format("{} is lost: nothing was heard of it for {}",
                     terms_.names[static_cast<size_t>(longest - peers_.begin())], seconds(silence));
}

std::optional<std::string> Heartbeat::gave_up(Clock::duration ago) const {
  for (size_t rank = 0; rank < peers_.size(); ++rank) {
    const Peer& peer = peers_[rank];
    if (peer.reason && Clock::now() - peer.heard >= ago) {
      return fmt::format("{} ended: {}", terms_.names[rank], *peer.reason);
    }
  }
  return std::nullopt;
}

void Heartbeat::guard() {
  while (wait_for(interval_ / 2)) {
    std::optional<std::string> lost;
    {
      const std::lock_guard lock(mutex_);
      if (given_up_) return;
      const Clock::duration unreached = Clock::now() - reached_;
      if (unreached > terms_.timeout) {
        lost = fmt::format("the ranks' meeting place at {} did not answer for {}", terms_.meeting_place,
                           seconds(unreached));
      }
      if (!lost) lost = gave_up(kMissedBeats * interval_);
      if (!lost) lost = silent(terms_.timeout);
    }
    if (!lost) continue;
    on_lost_(*lost);
    return;
  }
}

std::string Heartbeat::find_fault(const std::string& failure) {
  const Clock::time_point begin = Clock::now();
  do {
    const std::lock_guard lock(mutex_);
    if (const auto found = gave_up(Clock::duration::zero())) return *found;
    if (const auto found = silent(kMissedBeats * interval_)) return *found;
    if (!store_error_.empty() && Clock::now() - reached_ > kMissedBeats * interval_) {
      return fmt::format("the ranks' meeting place at {} is gone", terms_.meeting_place);
    }
  } while (Clock::now() - begin < terms_.timeout && wait_for(interval_ / 4));
  return fmt::format("nothing comes from another rank any more: {}", failure);
}

}  // namespace heed::distributed
