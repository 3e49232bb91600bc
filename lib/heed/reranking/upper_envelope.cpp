#include "heed/reranking/upper_envelope.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace heed::reranking {
namespace {

/// Sorts by slope; among equal slopes the best ray is last.
std::vector<size_t> by_slope(std::span<const Ray> rays) {
  std::vector<size_t> order(rays.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) {
    if (rays[a].slope != rays[b].slope) return rays[a].slope < rays[b].slope;
    if (rays[a].at_zero != rays[b].at_zero) return rays[a].at_zero < rays[b].at_zero;
    return a > b;
  });
  return order;
}

/// The step at which `steeper` overtakes the other ray.
double crossing(const Ray& ray, const Ray& steeper) {
  return (ray.at_zero - steeper.at_zero) / (steeper.slope - ray.slope);
}

}  // namespace

std::vector<Stretch> upper_envelope(std::span<const Ray> rays) {
  std::vector<Stretch> envelope;
  for (const size_t ray : by_slope(rays)) {
    double begin = -std::numeric_limits<double>::infinity();
    while (!envelope.empty()) {
      const Stretch& last = envelope.back();
      if (rays[last.ray].slope < rays[ray].slope) {
        begin = crossing(rays[last.ray], rays[ray]);
        if (begin > last.begin) break;
        begin = -std::numeric_limits<double>::infinity();
      }
      envelope.pop_back();
    }
    envelope.push_back({.begin = begin, .ray = ray});
  }
  return envelope;
}

}  // namespace heed::reranking
