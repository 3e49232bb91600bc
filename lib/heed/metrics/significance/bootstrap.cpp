#include <algorithm>
#include <array>
#include <mutex>

#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/metrics/significance/resampling.h"

namespace heed::metrics {
namespace {

/// The statistics of all systems and metrics in one table, in blocks of 16 columns: a block has one cache line per
/// segment. Sums are float32 and added in the order of sampling, as in sacreBLEU.
class Table {
 public:
  static constexpr size_t kColumns = 16;
  using Line = std::array<float, kColumns>;

  explicit Table(std::span<const SystemStatistics> measured) : segments_(measured[0].statistics.lines()) {
    size_t width = 0;
    for (const SystemStatistics& each : measured) {
      begins_.push_back(width);
      width += each.statistics.width();
    }
    lines_.resize((width + kColumns - 1) / kColumns * segments_);
    for (size_t i = 0; i < measured.size(); ++i) fill(begins_[i], measured[i].statistics);
  }

  size_t segments() const { return segments_; }
  size_t width() const { return lines_.size() / segments_ * kColumns; }
  /// The first column of `measured`.
  size_t begin(size_t measured) const { return begins_[measured]; }

  /// sums[c] := the sum of column c over the sampled segments.
  void add_up(std::span<const uint32_t> drawn, std::span<double> sums) const {
    for (size_t column = 0; column < width(); column += kColumns) {
      const Line* lines = lines_.data() + column / kColumns * segments_;
      Line sum{};
      for (const uint32_t segment : drawn) {
        for (size_t c = 0; c < kColumns; ++c) sum[c] += lines[segment][c];
      }
      std::ranges::copy(sum, sums.begin() + static_cast<std::ptrdiff_t>(column));
    }
  }

 private:
  void fill(size_t begin, const CorpusStatistics& statistics) {
    for (size_t segment = 0; segment < segments_; ++segment) {
      const auto row = statistics.row(segment);
      for (size_t c = 0; c < row.size(); ++c) {
        const size_t column = begin + c;
        lines_[column / kColumns * segments_ + segment][column % kColumns] = static_cast<float>(row[c]);
      }
    }
  }

  size_t segments_;
  std::vector<size_t> begins_;
  std::vector<Line> lines_;
};

/// Generates resamples in the order of the random stream, for several threads.
class Resamples {
 public:
  Resamples(const NumpySeed& seed, size_t segments) : random_(seed), segments_(segments) {}

  /// Samples the segments of the next resample; returns its number.
  size_t next(std::span<uint32_t> drawn) {
    const std::lock_guard lock(mutex_);
    random_.choice(segments_, drawn);
    return number_++;
  }

 private:
  std::mutex mutex_;
  NumpyRandom random_;
  size_t segments_;
  size_t number_ = 0;
};

}  // namespace

std::vector<std::vector<double>> bootstrap_scores(std::span<const SystemStatistics> measured, int64_t samples,
                                                  const NumpySeed& seed, int64_t threads) {
  check(!measured.empty() && measured[0].statistics.lines() > 0, "bootstrap: nothing to resample");
  for (const SystemStatistics& each : measured) {
    check(each.statistics.lines() == measured[0].statistics.lines(), "bootstrap: unequal numbers of segments");
  }
  const Table table(measured);
  Resamples resamples(seed, table.segments());
  struct Workspace {
    std::vector<uint32_t> drawn;
    std::vector<double> sums;
  };
  std::vector<Workspace> workspaces(static_cast<size_t>(threads));
  std::vector<std::vector<double>> scores(measured.size(), std::vector<double>(static_cast<size_t>(samples)));
  parallel_chunks(threads, samples, 1, [&](int64_t worker, int64_t, int64_t) {
    auto& [drawn, sums] = workspaces[static_cast<size_t>(worker)];
    drawn.resize(table.segments());
    sums.resize(table.width());
    const size_t sample = resamples.next(drawn);
    table.add_up(drawn, sums);
    for (size_t i = 0; i < measured.size(); ++i) {
      const auto own = std::span<const double>(sums).subspan(table.begin(i), measured[i].statistics.width());
      scores[i][sample] = measured[i].metric.value({own, Sums::Type::Float32});
    }
  });
  return scores;
}

}  // namespace heed::metrics
