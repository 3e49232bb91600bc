// Limits how many requests a client sends in a minute: a token bucket for each client.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace heed::serve {

/// A bucket holds at most `per_minute` requests and is refilled evenly. All IPv6 addresses of a network of 64 bits,
/// which one client may have, share a bucket. Not thread-safe.
class RequestRate {
 public:
  using Clock = std::chrono::steady_clock;

  /// per_minute: 0: no limit.
  explicit RequestRate(int64_t per_minute) : per_minute_(static_cast<double>(per_minute)) {}

  /// Counts a request. client: its address. Returns the seconds after which the client may send another, if it has sent
  /// too many.
  std::optional<int64_t> refuse(const std::string& client, Clock::time_point now = Clock::now());

  static constexpr size_t kMostClients = 65'536;  ///< that are remembered

 private:
  struct Bucket {
    double requests;  // that the client may send at once
    Clock::time_point filled;
  };
  void make_room(Clock::time_point now);

  double per_minute_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace heed::serve
