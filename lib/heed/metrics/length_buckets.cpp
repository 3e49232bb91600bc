#include "heed/metrics/length_buckets.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::metrics {

std::string LengthBucket::name() const { return last ? fmt::format("{}-{}", first, *last) : fmt::format("{}+", first); }

std::vector<LengthBucket> length_buckets(std::span<const int64_t> lengths, int64_t width,
                                         std::optional<int64_t> longest) {
  check(width > 0 && (!longest || (*longest > 0 && *longest % width == 0)), "buckets have one width, of at least 1");
  std::vector<LengthBucket> buckets;
  for (size_t line = 0; line < lengths.size(); ++line) {
    int64_t place = std::max<int64_t>(lengths[line] - 1, 0) / width;
    if (longest) place = std::min(place, *longest / width);
    while (std::ssize(buckets) <= place) {
      const auto number = std::ssize(buckets);
      LengthBucket& bucket = buckets.emplace_back();
      bucket.first = number == 0 ? 0 : number * width + 1;
      if (!longest || number < *longest / width) bucket.last = (number + 1) * width;
    }
    buckets[static_cast<size_t>(place)].lines.push_back(line);
  }
  buckets.erase(buckets.begin(),
                std::ranges::find_if(buckets, [](const auto& bucket) { return !bucket.lines.empty(); }));
  return buckets;
}

CorpusStatistics rows_of(const CorpusStatistics& statistics, std::span<const size_t> lines) {
  CorpusStatistics chosen(lines.size(), statistics.width());
  for (size_t i = 0; i < lines.size(); ++i) std::ranges::copy(statistics.row(lines[i]), chosen.row(i).begin());
  return chosen;
}

}  // namespace heed::metrics
