// Clipped n-gram matches of one segment, in linear time and without hash collisions: an n-gram is identified by the
// number of its first n-1 tokens and its last token.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heed/metrics/id_table.h"

namespace heed::metrics {

using Tokens = std::vector<std::string_view>;

/// Counts matches. Not thread-safe: it reuses its buffers.
class NgramMatcher {
 public:
  /// matches[n-1] := the n-grams of `hypothesis` that a reference has too; n from 1 to matches.size(). An n-gram counts
  /// at most as often as in the reference that has it most often.
  void count(const Tokens& hypothesis, std::span<const Tokens> references, std::span<int64_t> matches);
  /// The same for a text of code points.
  void count(std::u32string_view hypothesis, std::u32string_view reference, std::span<int64_t> matches);

 private:
  static constexpr uint32_t kAbsent = IdTable<uint64_t>::kAbsent;

  template <class Key, class Text>
  void number_tokens(IdTable<Key>& numbers, const Text& hypothesis, std::span<const Text> references);
  void number_ngrams(size_t order);
  void count_all(std::span<int64_t> matches);
  int64_t clipped();

  IdTable<std::string_view> words_;
  IdTable<uint64_t> characters_;
  IdTable<uint64_t> ngrams_;
  // For the hypothesis (first) and each reference: the number of each token, and of the n-gram that starts at it.
  std::vector<std::vector<uint32_t>> tokens_;
  std::vector<std::vector<uint32_t>> starts_;
  size_t distinct_ = 0;
  std::vector<int64_t> allowed_;
  std::vector<int64_t> counts_;
};

}  // namespace heed::metrics
