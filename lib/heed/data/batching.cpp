#include "heed/data/batching.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "heed/core/error.h"

namespace heed::data {
namespace {

IdMatrix filled(int64_t rows, int64_t columns) {
  return {
      .rows = rows, .columns = columns, .ids = std::vector<int64_t>(static_cast<size_t>(rows * columns), text::kPad)};
}

int64_t size_of(std::span<const int32_t> ids) { return static_cast<int64_t>(ids.size()); }

}  // namespace

Batch make_batch(std::span<const PairIds> pairs, bool has_source) {
  check(!pairs.empty(), "a batch needs a pair");
  int64_t source_columns = 0;
  int64_t target_columns = 0;
  for (const PairIds& pair : pairs) {
    source_columns = std::max(source_columns, size_of(pair.source) + 1);
    target_columns = std::max(target_columns, size_of(pair.target) + 2);
  }
  const auto rows = static_cast<int64_t>(pairs.size());
  Batch batch{
      .source = filled(rows, has_source ? source_columns : 0), .target = filled(rows, target_columns), .lines = {}};
  batch.lines.reserve(pairs.size());
  auto source = batch.source.ids.begin();
  auto target = batch.target.ids.begin();
  for (const PairIds& pair : pairs) {
    if (has_source) {
      *std::copy(pair.source.begin(), pair.source.end(), source) = text::kEos;
      source += source_columns;
      batch.source_tokens += size_of(pair.source) + 1;
    }
    *target = text::kBos;
    *std::copy(pair.target.begin(), pair.target.end(), target + 1) = text::kEos;
    target += target_columns;
    batch.target_tokens += size_of(pair.target) + 1;
    batch.lines.push_back(pair.line);
  }
  return batch;
}

std::vector<int64_t> cut_evenly(std::span<const int64_t> sizes, int64_t parts) {
  const auto count = static_cast<int64_t>(sizes.size());
  parts = std::min(parts, count);
  const int64_t total = std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
  std::vector<int64_t> begins;
  int64_t end = 0;
  int64_t sum = 0;
  for (int64_t part = 0; part < parts; ++part) {
    begins.push_back(end);
    const int64_t last_end = count - (parts - part - 1);  // every later part needs one
    const double wanted = static_cast<double>(total) * static_cast<double>(part + 1) / static_cast<double>(parts);
    do {
      sum += sizes[static_cast<size_t>(end++)];
    } while (end < last_end &&
             static_cast<double>(sum) + static_cast<double>(sizes[static_cast<size_t>(end)]) / 2 <= wanted);
  }
  return begins;
}

std::vector<Batch> ordered_batches(const EncodedCorpus& corpus, int64_t batch_tokens) {
  std::vector<int64_t> order(static_cast<size_t>(corpus.size()));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&corpus](int64_t a, int64_t b) {
    return std::pair(corpus.target_length(a), corpus.source_length(a)) >
           std::pair(corpus.target_length(b), corpus.source_length(b));
  });
  std::vector<Batch> batches;
  std::vector<PairIds> pairs;
  int64_t tokens = 0;
  for (const int64_t line : order) {
    const int64_t length = corpus.target_length(line) + 1;
    if (!pairs.empty() && tokens + length > batch_tokens) {
      batches.push_back(make_batch(pairs, corpus.has_source()));
      pairs.clear();
      tokens = 0;
    }
    pairs.push_back({.line = line, .source = corpus.source_ids(line), .target = corpus.target_ids(line)});
    tokens += length;
  }
  if (!pairs.empty()) batches.push_back(make_batch(pairs, corpus.has_source()));
  return batches;
}

Padding& Padding::operator+=(const Padding& other) {
  tokens += other.tokens;
  cells += other.cells;
  return *this;
}

Padding padding(const Update& update) {
  Padding sum;
  for (const Batch& batch : update.parts) {
    sum += {.tokens = batch.source_tokens + batch.target_tokens,
            .cells = batch.source.rows * batch.source.columns + batch.target.rows * (batch.target.columns - 1)};
  }
  return sum;
}

}  // namespace heed::data
