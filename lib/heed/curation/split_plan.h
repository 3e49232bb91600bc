// Which pairs become test and validation text. Pairs of one document, and pairs that are nearly equal, stay together,
// so that the training text has none of the held-out text.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "heed/curation/duplicates/disjoint_sets.h"

namespace heed::curation {

enum class Part : uint8_t { Train, Valid, Test };

struct SplitSizes {
  int64_t valid = 0, test = 0;  ///< pairs
};

class SplitPlan {
 public:
  /// groups: of each pair, the first pair that it must stay with (NearDuplicates::groups).
  explicit SplitPlan(const std::vector<int64_t>& groups);
  /// Keeps the pairs of a document together. line: from 0. Call it for increasing lines.
  void add_document(int64_t line, const std::string& document);
  /// Chooses groups in random order until the sizes are reached. Groups of nearly equal pairs that would be more than a
  /// twentieth of the text stay in the training text; documents are taken if they fit. If no document fits, the
  /// smallest exceeds the size. Returns the part of each pair. Throws Error if the text is too small.
  std::vector<Part> choose(const SplitSizes& sizes, uint64_t seed);
  /// Groups of more than one pair.
  int64_t groups_of_several() const { return groups_of_several_; }

 private:
  DisjointSets sets_;
  int64_t lines_;
  bool has_documents_ = false;
  std::unordered_map<std::string, int64_t> documents_;  // first line of each
  int64_t groups_of_several_ = 0;
};

}  // namespace heed::curation
