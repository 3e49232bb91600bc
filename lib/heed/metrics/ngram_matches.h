// Clipped n-gram matches of one segment, in time linear in its length and without collisions: an n-gram is numbered by
// the number of its first n-1 tokens and its last token.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heed::metrics {

using Tokens = std::vector<std::string_view>;

/// Counts matches; holds buffers for reuse, so that each thread needs its own.
class NgramMatcher {
 public:
  /// matches[n-1] := n-grams of `hypothesis` that a reference has too, each counted at most as often as in the reference
  /// that has it most often; n from 1 to matches.size().
  void count(const Tokens& hypothesis, std::span<const Tokens> references, std::span<int64_t> matches);

 private:
  /// A hash table from keys to the numbers 0, 1, ... in order of first insertion.
  template <class Key>
  class Numbering {
   public:
    void reset(size_t most_keys);
    uint32_t insert(const Key& key);
    /// kAbsent for a key that was not inserted.
    uint32_t find(const Key& key) const;
    size_t size() const { return keys_.size(); }

   private:
    size_t slot(const Key& key) const;
    std::vector<uint32_t> slots_;  // number + 1; 0: free
    std::vector<Key> keys_;
  };
  static constexpr uint32_t kAbsent = ~uint32_t{0};

  void number_tokens(const Tokens& hypothesis, std::span<const Tokens> references);
  void number_ngrams(size_t order);
  int64_t clipped() const;

  Numbering<std::string_view> words_;
  Numbering<uint64_t> ngrams_;
  // Of the hypothesis (first) and each reference: the number of each token, and of the n-gram that starts at it.
  std::vector<std::vector<uint32_t>> tokens_;
  std::vector<std::vector<uint32_t>> starts_;
  size_t distinct_ = 0;
};

}  // namespace heed::metrics
