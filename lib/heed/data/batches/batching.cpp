#include "heed/data/batches/batching.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "heed/core/error.h"
#include "heed/text/targets/numbers.h"

namespace heed::data {
namespace {

int64_t size_of(std::span<const int32_t> ids) { return static_cast<int64_t>(ids.size()); }

int64_t longest(std::span<const PairIds> pairs, std::span<const int32_t> PairIds::* side) {
  int64_t longest = 0;
  for (const PairIds& pair : pairs) longest = std::max(longest, size_of(pair.*side));
  return longest;
}

/// The number of predicted tokens in a target of this kind.
int64_t predicted_tokens(const PairIds& pair, text::TargetKind kind) {
  if (kind == text::TargetKind::Text) return size_of(pair.target) + 1;
  if (kind == text::TargetKind::Numbers) return size_of(pair.target);
  return size_of(pair.target) - std::ranges::count(pair.target, kNoLabel);
}

IdMatrix filled(std::span<const PairIds> pairs, int64_t columns, int64_t id) {
  const auto rows = std::ssize(pairs);
  return {.rows = rows, .columns = columns, .ids = std::vector<int64_t>(static_cast<size_t>(rows * columns), id)};
}

void fill_source(Batch& batch, std::span<const PairIds> pairs) {
  batch.source = filled(pairs, longest(pairs, &PairIds::source) + 1, text::kPad);
  auto row = batch.source.ids.begin();
  for (const PairIds& pair : pairs) {
    *std::copy(pair.source.begin(), pair.source.end(), row) = text::kEos;
    row += batch.source.columns;
    batch.source_tokens += size_of(pair.source) + 1;
  }
}

void fill_text(Batch& batch, std::span<const PairIds> pairs) {
  batch.target = filled(pairs, longest(pairs, &PairIds::target) + 2, text::kPad);
  auto row = batch.target.ids.begin();
  for (const PairIds& pair : pairs) {
    *row = text::kBos;
    *std::copy(pair.target.begin(), pair.target.end(), row + 1) = text::kEos;
    row += batch.target.columns;
    batch.target_tokens += predicted_tokens(pair, text::TargetKind::Text);
  }
}

void fill_labels(Batch& batch, std::span<const PairIds> pairs) {
  batch.target = filled(pairs, longest(pairs, &PairIds::target), kNoLabel);
  auto row = batch.target.ids.begin();
  for (const PairIds& pair : pairs) {
    std::copy(pair.target.begin(), pair.target.end(), row);
    row += batch.target.columns;
    batch.target_tokens += predicted_tokens(pair, text::TargetKind::WordLabels);
  }
}

void fill_numbers(Batch& batch, std::span<const PairIds> pairs) {
  batch.numbers = {.rows = std::ssize(pairs), .columns = size_of(pairs[0].target), .numbers = {}};
  for (const PairIds& pair : pairs) {
    check(size_of(pair.target) == batch.numbers.columns, "rows of a batch have equally many numbers");
    for (const int32_t id : pair.target) batch.numbers.numbers.push_back(text::number_of(id));
  }
  batch.target_tokens = batch.numbers.rows * batch.numbers.columns;
}

/// Adds the tokens of a row, multiplied by its weight.
void add_weight(Batch& batch, int64_t line, int64_t tokens, const EncodedPairs& from) {
  if (!from.has_weights()) return;
  batch.weighted_tokens =
      batch.weighted_tokens.value_or(0) + static_cast<double>(from.weight(line)) * static_cast<double>(tokens);
}

}  // namespace

Batch make_batch(std::span<const PairIds> pairs, bool has_source, text::TargetKind kind) {
  check(!pairs.empty(), "a batch needs a pair");
  Batch batch{.source = filled(pairs, 0, text::kPad), .target = filled(pairs, 0, text::kPad), .lines = {}};
  batch.target_kind = kind;
  if (has_source) fill_source(batch, pairs);
  switch (kind) {
    case text::TargetKind::Text:
      fill_text(batch, pairs);
      break;
    case text::TargetKind::Class:
    case text::TargetKind::WordLabels:
      fill_labels(batch, pairs);
      break;
    case text::TargetKind::Numbers:
      fill_numbers(batch, pairs);
      break;
  }
  for (const PairIds& pair : pairs) batch.lines.push_back(pair.line);
  return batch;
}

Batch make_batch(std::span<const PairIds> pairs, const EncodedPairs& from) {
  Batch batch = make_batch(pairs, from.has_source(), from.target_kind());
  for (const PairIds& pair : pairs) {
    if (!from.has_weights()) break;
    batch.weights.push_back(from.weight(pair.line));
    add_weight(batch, pair.line, predicted_tokens(pair, from.target_kind()), from);
  }
  if (!from.vectors()) return batch;
  std::vector<int64_t> items;
  for (const PairIds& pair : pairs) {
    items.push_back(from.vector_item(pair.line));
    batch.source_tokens += from.vectors()->length(items.back());
  }
  batch.vectors = read_block(from.vectors()->file(), items);
  return batch;
}

Batch outline_batch(std::span<const int64_t> lines, const EncodedPairs& from) {
  check(from.target_kind() == text::TargetKind::Text, "lengths give the number of tokens only for text");
  Batch batch;
  batch.lines = {lines.begin(), lines.end()};
  for (const int64_t line : lines) {
    if (from.has_source() || from.vectors()) batch.source_tokens += from.source_length(line);
    if (from.has_source()) ++batch.source_tokens;
    batch.target_tokens += from.target_length(line) + 1;
    add_weight(batch, line, from.target_length(line) + 1, from);
  }
  return batch;
}

Batch outline_batch(std::span<const PairIds> pairs, const EncodedPairs& from) {
  Batch batch{.source = {}, .target = {}, .lines = {}};
  batch.target_kind = from.target_kind();
  for (const PairIds& pair : pairs) {
    batch.lines.push_back(pair.line);
    if (from.has_source()) batch.source_tokens += size_of(pair.source) + 1;
    if (from.vectors()) batch.source_tokens += from.vectors()->length(from.vector_item(pair.line));
    batch.target_tokens += predicted_tokens(pair, from.target_kind());
    add_weight(batch, pair.line, predicted_tokens(pair, from.target_kind()), from);
  }
  return batch;
}

int64_t batch_tokens(const PairIds& pair, const EncodedPairs& from) {
  if (from.target_kind() == text::TargetKind::Text) return size_of(pair.target) + 1;
  const int64_t vectors = from.vectors() ? from.vectors()->length(from.vector_item(pair.line)) : 0;
  return size_of(pair.source) + vectors + 1;
}

int64_t batch_tokens(int64_t line, const EncodedPairs& from) {
  return 1 + (from.target_kind() == text::TargetKind::Text ? from.target_length(line) : from.source_length(line));
}

int64_t batch_tokens(const EncodedCorpus& corpus) {
  const bool is_text = corpus.target_kind() == text::TargetKind::Text;
  return is_text ? corpus.summary().target_tokens : corpus.summary().source_tokens;
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
    const int64_t last_end = count - (parts - part - 1);  // every later part needs at least one
    const double wanted = static_cast<double>(total) * static_cast<double>(part + 1) / static_cast<double>(parts);
    do {
      sum += sizes[static_cast<size_t>(end++)];
    } while (end < last_end &&
             static_cast<double>(sum) + static_cast<double>(sizes[static_cast<size_t>(end)]) / 2 <= wanted);
  }
  return begins;
}

namespace {

Batch batch_of(std::span<const int64_t> lines, const EncodedCorpus& corpus) {
  std::vector<text::Ids> ids;  // source, target, source, ...
  for (const int64_t line : lines) {
    ids.push_back(corpus.source_ids(line));
    ids.push_back(corpus.target_ids(line));
  }
  std::vector<PairIds> pairs;
  for (size_t i = 0; i < lines.size(); ++i) {
    pairs.push_back({.line = lines[i], .source = ids[2 * i], .target = ids[2 * i + 1]});
  }
  return make_batch(pairs, corpus);
}

}  // namespace

std::vector<Batch> ordered_batches(const EncodedCorpus& corpus, int64_t limit) {
  std::vector<int64_t> order(static_cast<size_t>(corpus.size()));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&corpus](int64_t a, int64_t b) {
    return std::pair(corpus.target_length(a), corpus.source_length(a)) >
           std::pair(corpus.target_length(b), corpus.source_length(b));
  });
  std::vector<Batch> batches;
  std::vector<int64_t> lines;
  int64_t tokens = 0;
  for (const int64_t line : order) {
    const int64_t length = batch_tokens(line, corpus);
    if (!lines.empty() && tokens + length > limit) {
      batches.push_back(batch_of(lines, corpus));
      lines.clear();
      tokens = 0;
    }
    lines.push_back(line);
    tokens += length;
  }
  if (!lines.empty()) batches.push_back(batch_of(lines, corpus));
  return batches;
}

Padding& Padding::operator+=(const Padding& other) {
  tokens += other.tokens;
  cells += other.cells;
  return *this;
}

namespace {

/// All cells that are predicted. Only text targets have padding among them.
int64_t predicted_cells(const Batch& batch) {
  return batch.target_kind == text::TargetKind::Text ? batch.target.rows * (batch.target.columns - 1)
                                                     : batch.target_tokens;
}

}  // namespace

Padding padding(const StepBatch& update) {
  Padding sum;
  for (const Batch& batch : update.micro_batches) {
    sum += {.tokens = batch.source_tokens + batch.target_tokens,
            .cells = batch.source.rows * batch.source.columns + predicted_cells(batch)};
  }
  return sum;
}

}  // namespace heed::data
