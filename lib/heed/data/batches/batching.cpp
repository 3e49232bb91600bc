#include "heed/data/batches/batching.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "heed/core/error.h"

namespace heed::data {
namespace {

IdMatrix filled(int64_t rows, int64_t columns, int64_t id) {
  return {.rows = rows, .columns = columns, .ids = std::vector<int64_t>(static_cast<size_t>(rows * columns), id)};
}

void fill_source(MicroBatch& batch, std::span<const BatchPair> pairs) {
  int64_t longest = 0;
  for (const BatchPair& pair : pairs) longest = std::max(longest, std::ssize(pair.source));
  batch.source = filled(std::ssize(pairs), longest + 1, text::kPad);
  auto row = batch.source.ids.begin();
  for (const BatchPair& pair : pairs) {
    *std::copy(pair.source.begin(), pair.source.end(), row) = text::kEos;
    row += batch.source.columns;
    batch.source_tokens += std::ssize(pair.source) + 1;
  }
}

/// Makes the targets of pairs whose targets all have the type of the first, which is visited.
struct TargetBuilder {
  std::span<const BatchPair> pairs;

  Targets operator()(const text::Ids&) const {
    TokenTargets targets{filled(std::ssize(pairs), longest() + 2, text::kPad)};
    auto row = targets.ids.ids.begin();
    for (const BatchPair& pair : pairs) {
      const auto& tokens = std::get<text::Ids>(pair.target);
      *row = text::kBos;
      *std::copy(tokens.begin(), tokens.end(), row + 1) = text::kEos;
      row += targets.ids.columns;
    }
    return targets;
  }
  Targets operator()(const text::ClassLabel&) const {
    LabelTargets targets{{.rows = std::ssize(pairs), .columns = 1, .ids = {}}};
    for (const BatchPair& pair : pairs) targets.labels.ids.push_back(std::get<text::ClassLabel>(pair.target).label);
    return targets;
  }
  Targets operator()(const text::WordLabels&) const {
    LabelTargets targets{filled(std::ssize(pairs), longest(), text::kNoLabel)};
    auto row = targets.labels.ids.begin();
    for (const BatchPair& pair : pairs) {
      std::ranges::copy(std::get<text::WordLabels>(pair.target).labels, row);
      row += targets.labels.columns;
    }
    return targets;
  }
  Targets operator()(const text::Numbers& first) const {
    NumberTargets targets{.rows = std::ssize(pairs), .columns = std::ssize(first.values), .numbers = {}};
    for (const BatchPair& pair : pairs) {
      const auto& values = std::get<text::Numbers>(pair.target).values;
      check(std::ssize(values) == targets.columns, "rows of a batch have equally many numbers");
      targets.numbers.insert(targets.numbers.end(), values.begin(), values.end());
    }
    return targets;
  }

 private:
  int64_t longest() const {
    int64_t longest = 0;
    for (const BatchPair& pair : pairs) longest = std::max(longest, text::length(pair.target));
    return longest;
  }
};

/// Adds the tokens of a row, multiplied by its weight.
void add_weight(MicroBatch& batch, int64_t line, int64_t tokens, const EncodedPairs& from) {
  if (!from.has_weights()) return;
  batch.weighted_tokens =
      batch.weighted_tokens.value_or(0) + static_cast<double>(from.weight(line)) * static_cast<double>(tokens);
}

}  // namespace

BatchPair stored_pair(int64_t line, const EncodedPairs& from) {
  return {.line = line, .source = from.source_ids(line), .target = from.target(line)};
}

MicroBatch make_batch(std::span<const BatchPair> pairs, bool has_source) {
  check(!pairs.empty(), "a batch needs a pair");
  MicroBatch batch{.source = filled(std::ssize(pairs), 0, text::kPad),
                   .target = std::visit(TargetBuilder{pairs}, pairs[0].target),
                   .lines = {}};
  if (has_source) fill_source(batch, pairs);
  for (const BatchPair& pair : pairs) {
    const int64_t row = std::ssize(batch.lines);
    for (const TokenLink& link : pair.links) batch.links.emplace_back(link).row = row;
    batch.lines.push_back(pair.line);
    batch.target_tokens += text::predictions(pair.target);
  }
  return batch;
}

MicroBatch make_batch(std::span<const BatchPair> pairs, const EncodedPairs& from) {
  MicroBatch batch = make_batch(pairs, from.has_source());
  for (const BatchPair& pair : pairs) {
    if (!from.has_weights()) break;
    batch.weights.push_back(from.weight(pair.line));
    add_weight(batch, pair.line, text::predictions(pair.target), from);
  }
  if (!from.vectors()) return batch;
  std::vector<int64_t> items;
  for (const BatchPair& pair : pairs) {
    items.push_back(from.vector_item(pair.line));
    batch.source_tokens += from.vectors()->length(items.back());
  }
  batch.vectors = read_block(from.vectors()->file(), items);
  return batch;
}

MicroBatch outline_batch(std::span<const int64_t> lines, const EncodedPairs& from) {
  check(from.form().writes_text(), "lengths give the number of tokens only for text");
  MicroBatch batch;
  batch.lines = {lines.begin(), lines.end()};
  for (const int64_t line : lines) {
    if (from.has_source() || from.vectors()) batch.source_tokens += from.source_length(line);
    if (from.has_source()) ++batch.source_tokens;
    batch.target_tokens += from.target_length(line) + 1;
    add_weight(batch, line, from.target_length(line) + 1, from);
  }
  return batch;
}

MicroBatch outline_batch(std::span<const BatchPair> pairs, const EncodedPairs& from) {
  MicroBatch batch{.source = {}, .target = {}, .lines = {}};
  for (const BatchPair& pair : pairs) {
    batch.lines.push_back(pair.line);
    if (from.has_source()) batch.source_tokens += std::ssize(pair.source) + 1;
    if (from.vectors()) batch.source_tokens += from.vectors()->length(from.vector_item(pair.line));
    batch.target_tokens += text::predictions(pair.target);
    add_weight(batch, pair.line, text::predictions(pair.target), from);
  }
  return batch;
}

int64_t batch_tokens(const BatchPair& pair, const EncodedPairs& from) {
  if (from.form().writes_text()) return text::predictions(pair.target);
  const int64_t vectors = from.vectors() ? from.vectors()->length(from.vector_item(pair.line)) : 0;
  return std::ssize(pair.source) + vectors + 1;
}

int64_t batch_tokens(int64_t line, const EncodedPairs& from) {
  return 1 + (from.form().writes_text() ? from.target_length(line) : from.source_length(line));
}

int64_t batch_tokens(const EncodedCorpus& corpus) {
  return corpus.form().writes_text() ? corpus.summary().target_tokens : corpus.summary().source_tokens;
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

MicroBatch batch_of(std::span<const int64_t> lines, const EncodedCorpus& corpus) {
  std::vector<BatchPair> pairs;
  for (const int64_t line : lines) pairs.push_back(stored_pair(line, corpus));
  return make_batch(pairs, corpus);
}

}  // namespace

std::vector<MicroBatch> ordered_batches(const EncodedCorpus& corpus, int64_t limit) {
  std::vector<int64_t> order(static_cast<size_t>(corpus.size()));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&corpus](int64_t a, int64_t b) {
    return std::pair(corpus.target_length(a), corpus.source_length(a)) >
           std::pair(corpus.target_length(b), corpus.source_length(b));
  });
  std::vector<MicroBatch> batches;
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

/// All cells that are predicted. Only text targets have padding among them. The outline of another rank's batch has no
/// targets.
int64_t predicted_cells(const MicroBatch& batch) {
  const auto* targets = std::get_if<TokenTargets>(&batch.target);
  return targets && targets->ids.rows > 0 ? targets->ids.rows * (targets->ids.columns - 1) : batch.target_tokens;
}

}  // namespace

Padding padding(const StepBatch& step) {
  Padding sum;
  for (const MicroBatch& batch : step.micro_batches) {
    sum += {.tokens = batch.source_tokens + batch.target_tokens,
            .cells = batch.source.rows * batch.source.columns + predicted_cells(batch)};
  }
  return sum;
}

}  // namespace heed::data
