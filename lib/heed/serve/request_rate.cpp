#include "heed/serve/request_rate.h"

#include <algorithm>
#include <cmath>

namespace heed::serve {
namespace {

double seconds_between(RequestRate::Clock::time_point begin, RequestRate::Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

std::optional<int64_t> RequestRate::refuse(const std::string& client, Clock::time_point now) {
  if (per_minute_ == 0) return std::nullopt;
  if (buckets_.size() >= kMostClients && !buckets_.contains(client)) forget_full(now);
  Bucket& bucket = buckets_.try_emplace(client, Bucket{per_minute_, now}).first->second;
  bucket.requests = std::min(per_minute_, bucket.requests + seconds_between(bucket.filled, now) * per_minute_ / 60);
  bucket.filled = now;
  if (bucket.requests < 1) return static_cast<int64_t>(std::ceil((1 - bucket.requests) * 60 / per_minute_));
  bucket.requests -= 1;
  return std::nullopt;
}

/// Forgets clients whose buckets are full again; all, if none is: their memory is bounded.
void RequestRate::forget_full(Clock::time_point now) {
  std::erase_if(buckets_, [&](const auto& entry) { return seconds_between(entry.second.filled, now) > 60; });
  if (buckets_.size() >= kMostClients) buckets_.clear();
}

}  // namespace heed::serve
