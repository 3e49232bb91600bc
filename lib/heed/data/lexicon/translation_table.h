// Which target tokens translate a source token: probabilities t(f | e), learned from pairs of sentences without any
// alignment by expectation maximization (IBM model 1: Brown et al. 1993, https://aclanthology.org/J93-2003).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::data {

struct TokenPair {
  text::Ids source, target;
};

class TranslationTable {
 public:
  /// pair(i): the i-th of `pairs` pairs, asked for again in each iteration. Every target token may also come from no
  /// source token, as in the paper. on_iteration: called after each one, with its number.
  TranslationTable(int64_t pairs, const std::function<TokenPair(int64_t)>& pair, int64_t source_size,
                   int64_t iterations, const std::function<void(int64_t)>& on_iteration = {});

  struct Translation {
    int32_t token;
    float probability;
  };
  /// The likeliest translations of a source token, best first, at most `count`; of equal ones the first of the
  /// vocabulary comes first.
  std::vector<Translation> best(int32_t source, int64_t count) const;

 private:
  struct Row {
    std::vector<int32_t> tokens;  // that stand in a pair with the source token, ascending
    std::vector<float> probabilities;
    std::vector<float> counts;  // expected ones, of the iteration
    size_t compacted = 0;

    void add(std::span<const int32_t> target);
    void compact();
    size_t place_of(int32_t token) const;
  };
  void collect(const TokenPair& pair);
  void expect(const TokenPair& pair);
  void maximize();
  /// Of a source token; of none behind them all.
  std::vector<Row*> rows_of(std::span<const int32_t> source);

  std::vector<Row> rows_;
};

}  // namespace heed::data
