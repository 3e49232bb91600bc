#include "heed/serve/request_rate.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <algorithm>
#include <cmath>

namespace heed::serve {
namespace {

double seconds_between(RequestRate::Clock::time_point begin, RequestRate::Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// What a client is known by: its address, of IPv6 the first 64 bits.
std::string bucket_name(const std::string& address) {
  in6_addr parsed{};
  if (inet_pton(AF_INET6, address.c_str(), &parsed) != 1 || IN6_IS_ADDR_V4MAPPED(&parsed)) return address;
  return {reinterpret_cast<const char*>(parsed.s6_addr), 8};
}

}  // namespace

std::optional<int64_t> RequestRate::refuse(const std::string& client, Clock::time_point now) {
  if (per_minute_ == 0) return std::nullopt;
  const std::string name = bucket_name(client);
  if (buckets_.size() >= kMostClients && !buckets_.contains(name)) make_room(now);
  Bucket& bucket = buckets_.try_emplace(name, Bucket{per_minute_, now}).first->second;
  bucket.requests = std::min(per_minute_, bucket.requests + seconds_between(bucket.filled, now) * per_minute_ / 60);
  bucket.filled = now;
  if (bucket.requests < 1) return static_cast<int64_t>(std::ceil((1 - bucket.requests) * 60 / per_minute_));
  bucket.requests -= 1;
  return std::nullopt;
}

/// Forgets clients whose buckets are full again; all, if few are. So memory is bounded, and scans are rare.
void RequestRate::make_room(Clock::time_point now) {
  std::erase_if(buckets_, [&](const auto& entry) { return seconds_between(entry.second.filled, now) > 60; });
  if (buckets_.size() > kMostClients / 2) buckets_.clear();
}

}  // namespace heed::serve
