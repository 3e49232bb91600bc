// The pairs of a file that is read as a whole.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/text/unicode.h"
#include "heed/curation/files/pair.h"
#include "heed/curation/files/pair_input.h"

namespace heed::curation {

class ListedPairs : public PairInput {
 public:
  /// Text that is not UTF-8 is repaired.
  void add(Pair pair) {
    for (std::string* side : {&pair.source, &pair.target}) {
      if (!first_invalid_utf8(*side)) continue;
      *side = replace_invalid_utf8(*side);
      pair.ill_formed = true;
    }
    pairs_.push_back(std::move(pair));
  }
  bool next(Pair& pair) override {
    if (next_ == pairs_.size()) return false;
    pair = std::move(pairs_[next_++]);
    return true;
  }

 private:
  std::vector<Pair> pairs_;
  size_t next_ = 0;
};

}  // namespace heed::curation
