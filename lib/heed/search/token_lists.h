// A list of tokens for each hypothesis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heed::search {

class TokenLists {
 public:
  /// Adds the list of the next hypothesis.
  void add(std::span<const int32_t> tokens) {
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
    begins_.push_back(tokens_.size());
  }
  void clear() {
    tokens_.clear();
    begins_.assign(1, 0);
  }

  size_t hypotheses() const { return begins_.size() - 1; }
  /// Whether all lists are empty.
  bool empty() const { return tokens_.empty(); }
  std::span<const int32_t> of(size_t hypothesis) const {
    return std::span(tokens_).subspan(begin(hypothesis), begins_[hypothesis + 1] - begin(hypothesis));
  }
  /// The concatenated lists, and the index where the list of a hypothesis begins.
  const std::vector<int32_t>& all() const { return tokens_; }
  size_t begin(size_t hypothesis) const { return begins_[hypothesis]; }

 private:
  std::vector<int32_t> tokens_;
  std::vector<size_t> begins_{0};
};

}  // namespace heed::search
