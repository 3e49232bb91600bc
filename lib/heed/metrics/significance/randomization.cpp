#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/metrics/significance/resampling.h"

namespace heed::metrics {
namespace {

/// Sums of many subsets of rows at once (the method of four Russians): rows are grouped by six, and the sums of all 64
/// subsets of a group are in a lookup table. Sums of integers are exact.
class SubsetSums {
 public:
  static constexpr size_t kColumns = 8;
  using Row = std::array<double, kColumns>;

  explicit SubsetSums(size_t rows) : rows_((rows + kStretch - 1) / kStretch * kStretch) {}

  Row& row(size_t number) { return rows_[number]; }

  /// Adds to sums[i] the rows whose bits are set in subset i. A subset has `size` bits, lowest first; the subsets are
  /// adjacent and start at bit `begin` of `bits`. 8 bytes after the last subset must be readable.
  void add_to(std::span<Row> sums, const uint64_t* bits, size_t begin, size_t size) const {
    std::vector<Lookup> lookups(kGroups);
    for (size_t stretch = 0; stretch < rows_.size(); stretch += kStretch) {
      for (size_t group = 0; group < kGroups; ++group) fill(lookups[group], stretch + group * kGroup);
      for (size_t i = 0; i < sums.size(); ++i) {
        uint64_t chosen = bits_at(bits, begin + i * size + stretch);
        Row sum = sums[i];
        for (size_t group = 0; group < kGroups; ++group, chosen >>= kGroup) {
          const Row& found = lookups[group][chosen % kSubsets];
          for (size_t c = 0; c < kColumns; ++c) sum[c] += found[c];
        }
        sums[i] = sum;
      }
    }
  }

 private:
  static constexpr size_t kGroup = 6;
  static constexpr size_t kSubsets = 1 << kGroup;
  static constexpr size_t kGroups = 8;
  static constexpr size_t kStretch = kGroup * kGroups;  // one unaligned load always has at least 57 bits
  using Lookup = std::array<Row, kSubsets>;

  static uint64_t bits_at(const uint64_t* bits, size_t position) {
    uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const unsigned char*>(bits) + position / 8, sizeof word);
    return word >> (position % 8);
  }

  void fill(Lookup& lookup, size_t begin) const {
    lookup[0] = {};
    for (size_t i = 0; i < kGroup; ++i) {
      const size_t half = size_t{1} << i;
      for (size_t subset = 0; subset < half; ++subset) {
        for (size_t c = 0; c < kColumns; ++c) lookup[half + subset][c] = lookup[subset][c] + rows_[begin + i][c];
      }
    }
  }

  std::vector<Row> rows_;
};

/// The differences of the pairs' statistics, first minus second, eight columns per table.
class Differences {
 public:
  explicit Differences(std::span<const MeasuredPair> pairs) : segments_(pairs[0].first.statistics.lines()) {
    size_t width = 0;
    for (const MeasuredPair& pair : pairs) {
      begins_.push_back(width);
      width += pair.first.statistics.width();
    }
    const size_t tables = (width + SubsetSums::kColumns - 1) / SubsetSums::kColumns;
    tables_.assign(tables, SubsetSums(segments_));
    for (size_t i = 0; i < pairs.size(); ++i) fill(begins_[i], pairs[i]);
  }

  size_t segments() const { return segments_; }
  size_t begin(size_t pair) const { return begins_[pair]; }
  std::span<const SubsetSums> tables() const { return tables_; }

 private:
  void fill(size_t begin, const MeasuredPair& pair) {
    for (size_t segment = 0; segment < segments_; ++segment) {
      const auto first = pair.first.statistics.row(segment);
      const auto second = pair.second.statistics.row(segment);
      for (size_t c = 0; c < first.size(); ++c) {
        const size_t column = begin + c;
        SubsetSums& table = tables_[column / SubsetSums::kColumns];
        table.row(segment)[column % SubsetSums::kColumns] = first[c] - second[c];
      }
    }
  }

  size_t segments_;
  std::vector<size_t> begins_;
  std::vector<SubsetSums> tables_;
};

/// A column whose sums are rounded: in TER, the mean length of three references. The order of summation then decides
/// the last bit, and with it ties between trials. sacreBLEU computes these sums as a matrix product in NumPy;
/// OpenBLAS's kernels for Haswell and Zen sum in blocks.
class RoundedColumn {
 public:
  RoundedColumn(const MeasuredPair& pair, size_t column) : column_(column) {
    for (size_t i = 0; i < pair.first.statistics.lines(); ++i) {
      first_.push_back(pair.first.statistics.row(i)[column]);
      second_.push_back(pair.second.statistics.row(i)[column]);
    }
  }

  /// Whether the column needs this.
  static bool is_rounded(const CorpusStatistics& statistics, size_t column) {
    for (size_t i = 0; i < statistics.lines(); ++i) {
      const double scaled = statistics.row(i)[column] * 1024;
      if (scaled != std::floor(scaled)) return true;
    }
    return false;
  }

  size_t column() const { return column_; }

  /// The sums of both systems in the trial whose bits begin at `begin`.
  std::pair<double, double> sums(std::span<const uint64_t> bits, size_t begin) const {
    std::array<double, 4> total{};  // first and second for set bits, first and second for other bits
    for (size_t i = 0; i < first_.size();) {
      const size_t end = i + stretch(first_.size() - i);
      std::array<double, 4> sum{};
      for (; i < end; ++i) {
        const bool chosen = (bits[(begin + i) / 64] >> ((begin + i) % 64)) & 1;
        sum[0] += chosen ? first_[i] : 0;
        sum[1] += chosen ? second_[i] : 0;
        sum[2] += chosen ? 0 : first_[i];
        sum[3] += chosen ? 0 : second_[i];
      }
      for (size_t k = 0; k < sum.size(); ++k) total[k] += sum[k];
    }
    return {total[0] + total[3], total[2] + total[1]};
  }

 private:
  static size_t stretch(size_t left) {
    constexpr size_t kLongest = 256;
    if (left >= 2 * kLongest) return kLongest;
    return left > kLongest ? (left / 2 + 3) / 4 * 4 : left;
  }

  size_t column_;
  std::vector<double> first_;
  std::vector<double> second_;
};

/// Computes the score difference of a pair in a trial.
class PairScorer {
 public:
  explicit PairScorer(const MeasuredPair& pair)
      : metric_(pair.first.metric), first_(pair.first.statistics.sums()), second_(pair.second.statistics.sums()) {
    for (size_t c = 0; c < first_.size(); ++c) {
      const bool rounded =
          RoundedColumn::is_rounded(pair.first.statistics, c) || RoundedColumn::is_rounded(pair.second.statistics, c);
      if (rounded) rounded_.emplace_back(pair, c);
    }
  }

  /// moved: the sums of the differences, first minus second, over the segments whose bit is set; these keep their
  /// sides, and all others are swapped. The trial's bits begin at `begin`.
  double operator()(std::span<const double> moved, std::span<const uint64_t> bits, size_t begin) const {
    std::vector<double> a = second_;
    std::vector<double> b = first_;
    for (size_t c = 0; c < moved.size(); ++c) {
      a[c] += moved[c];
      b[c] -= moved[c];
    }
    for (const RoundedColumn& rounded : rounded_) {
      std::tie(a[rounded.column()], b[rounded.column()]) = rounded.sums(bits, begin);
    }
    return std::abs(metric_.value({a, Sums::Type::Int64}) - metric_.value({b, Sums::Type::Int64}));
  }
  size_t width() const { return first_.size(); }

 private:
  const Metric& metric_;
  std::vector<double> first_;
  std::vector<double> second_;
  std::vector<RoundedColumn> rounded_;
};

/// The random bits of the trials `begin` to `end`, adjacent in the random stream. The first trial begins at bit
/// `offset`.
struct TrialBits {
  TrialBits(NumpyRandom random, size_t segments, size_t begin, size_t end) : offset(begin * segments % 64) {
    const size_t first = begin * segments / 64;
    random.skip(first);
    words.resize(end * segments / 64 - first + 1);
    std::ranges::generate(words, [&random] { return random.next(); });
    words.resize(words.size() + 2);
  }
  size_t offset;
  std::vector<uint64_t> words;
};

}  // namespace

std::vector<std::vector<double>> shuffled_differences(std::span<const MeasuredPair> pairs, int64_t trials,
                                                      const NumpySeed& seed, int64_t threads) {
  check(!pairs.empty() && pairs[0].first.statistics.lines() > 0, "randomization: nothing to shuffle");
  for (const MeasuredPair& pair : pairs) {
    const bool equal = pair.first.statistics.lines() == pairs[0].first.statistics.lines() &&
                       pair.second.statistics.lines() == pair.first.statistics.lines() &&
                       pair.second.statistics.width() == pair.first.statistics.width();
    check(equal, "randomization: unequal numbers of segments");
  }
  const Differences differences(pairs);
  const NumpyRandom random(seed);
  const std::vector<PairScorer> scorers(pairs.begin(), pairs.end());
  const size_t tables = differences.tables().size();
  std::vector<std::vector<double>> results(pairs.size(), std::vector<double>(static_cast<size_t>(trials)));
  constexpr int64_t kTrialsAtOnce = 512;
  parallel_chunks(threads, trials, kTrialsAtOnce, [&](int64_t, int64_t begin, int64_t end) {
    const auto first = static_cast<size_t>(begin);
    const size_t count = static_cast<size_t>(end) - first;
    const TrialBits bits(random, differences.segments(), first, first + count);
    std::vector<std::vector<SubsetSums::Row>> sums(tables, std::vector<SubsetSums::Row>(count));
    for (size_t t = 0; t < tables; ++t) {
      differences.tables()[t].add_to(sums[t], bits.words.data(), bits.offset, differences.segments());
    }
    std::vector<double> moved;
    for (size_t trial = 0; trial < count; ++trial) {
      for (size_t i = 0; i < pairs.size(); ++i) {
        moved.clear();
        for (size_t c = differences.begin(i); moved.size() < scorers[i].width(); ++c) {
          moved.push_back(sums[c / SubsetSums::kColumns][trial][c % SubsetSums::kColumns]);
        }
        results[i][first + trial] = scorers[i](moved, bits.words, bits.offset + trial * differences.segments());
      }
    }
  });
  return results;
}

}  // namespace heed::metrics
