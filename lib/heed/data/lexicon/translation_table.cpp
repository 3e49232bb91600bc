#include "heed/data/lexicon/translation_table.h"

#include <algorithm>
#include <numeric>

namespace heed::data {

/// Sorts the tokens and removes duplicates whenever their number has doubled. So memory is at most twice what is
/// needed.
void TranslationTable::Row::add(std::span<const int32_t> target) {
  tokens.insert(tokens.end(), target.begin(), target.end());
  constexpr size_t kLeast = 1024;
  if (tokens.size() > std::max(2 * compacted, kLeast)) compact();
}

void TranslationTable::Row::compact() {
  std::ranges::sort(tokens);
  const auto rest = std::ranges::unique(tokens);
  tokens.erase(rest.begin(), rest.end());
  compacted = tokens.size();
}

size_t TranslationTable::Row::place_of(int32_t token) const {
  return static_cast<size_t>(std::ranges::lower_bound(tokens, token) - tokens.begin());
}

TranslationTable::TranslationTable(int64_t pairs, const std::function<TokenPair(int64_t)>& pair, int64_t source_size,
                                   int64_t iterations, const std::function<void(int64_t)>& on_iteration)
    : rows_(static_cast<size_t>(source_size) + 1) {
  for (int64_t i = 0; i < pairs; ++i) collect(pair(i));
  for (Row& row : rows_) {
    row.compact();
    row.tokens.shrink_to_fit();
    row.probabilities.assign(row.tokens.size(), 1);  // any equal values: the first iteration normalizes them
    row.counts.assign(row.tokens.size(), 0);
  }
  for (int64_t iteration = 1; iteration <= iterations; ++iteration) {
    for (int64_t i = 0; i < pairs; ++i) expect(pair(i));
    maximize();
    if (on_iteration) on_iteration(iteration);
  }
}

std::vector<TranslationTable::Row*> TranslationTable::rows_of(std::span<const int32_t> source) {
  std::vector<Row*> rows;
  for (const int32_t token : source) rows.push_back(&rows_[static_cast<size_t>(token)]);
  rows.push_back(&rows_.back());
  return rows;
}

void TranslationTable::collect(const TokenPair& pair) {
  for (Row* row : rows_of(pair.source)) row->add(pair.target);
}

/// Divides each target token among the source tokens of its sentence, in proportion to their probabilities.
void TranslationTable::expect(const TokenPair& pair) {
  const std::vector<Row*> rows = rows_of(pair.source);
  std::vector<size_t> places(rows.size());
  for (const int32_t token : pair.target) {
    float sum = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      places[i] = rows[i]->place_of(token);
      sum += rows[i]->probabilities[places[i]];
    }
    if (sum <= 0) continue;
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i]->counts[places[i]] += rows[i]->probabilities[places[i]] / sum;
    }
  }
}

void TranslationTable::maximize() {
  for (Row& row : rows_) {
    const double sum = std::accumulate(row.counts.begin(), row.counts.end(), 0.0);
    row.total = static_cast<float>(sum);
    for (size_t i = 0; i < row.counts.size(); ++i) {
      row.probabilities[i] = sum > 0 ? static_cast<float>(static_cast<double>(row.counts[i]) / sum) : 0;
      row.counts[i] = 0;
    }
  }
}

float TranslationTable::probability(int32_t source, int32_t target) const {
  const Row& row = rows_[static_cast<size_t>(source)];
  const size_t place = row.place_of(target);
  return place < row.tokens.size() && row.tokens[place] == target ? row.probabilities[place] : 0;
}

std::vector<TranslationTable::Translation> TranslationTable::best(int32_t source, int64_t count) const {
  const Row& row = rows_[static_cast<size_t>(source)];
  std::vector<Translation> all;
  for (size_t i = 0; i < row.tokens.size(); ++i) all.push_back({row.tokens[i], row.probabilities[i]});
  std::ranges::stable_sort(all, std::greater{}, &Translation::probability);
  if (std::ssize(all) > count) all.resize(static_cast<size_t>(count));
  return all;
}

}  // namespace heed::data
