// The pairs of a corpus that repeat others as a whole, nearly, or on one side.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "heed/curation/duplicates/near_duplicates.h"
#include "heed/data/overlap/line_set.h"
#include "heed/data/overlap/repeated_lines.h"

namespace heed::curation {

/// What is compared of a pair.
struct PairKeys {
  uint64_t pair = 0;
  uint64_t source = 0, target = 0;  ///< 0: the side is too short to be boilerplate
  bool blank = false;               ///< a side is blank: the pair repeats none
  Sketch sketch = {};
};

class RepeatedPairs {
 public:
  /// near: whether near-duplicates are wanted too. boilerplate: see FilterLimits. scratch: see data::RepeatedLines.
  RepeatedPairs(const std::string& scratch, std::optional<double> near_similarity, int64_t boilerplate);
  /// Adds the next pair. Throws FileError.
  void add(const PairKeys& keys);
  /// Finds the repeated pairs. Call it once, after all add(). Throws FileError.
  void find();

  // line: counted from 0.
  bool is_duplicate(int64_t line) const { return duplicates_.contains(line); }
  bool is_boilerplate(int64_t line) const { return boilerplate_lines_.contains(line); }
  /// The first line of the group of nearly equal lines that has this line; the line itself if near-duplicates are not
  /// wanted.
  int64_t group_of(int64_t line) const { return groups_.empty() ? line : groups_[static_cast<size_t>(line)]; }
  /// The first line that a duplicate repeats, if it is one of the first duplicates.
  std::optional<int64_t> repeated(int64_t line) const;

 private:
  void find_boilerplate(data::RepeatedLines& sides);

  int64_t lines_ = 0;
  int64_t boilerplate_;
  std::unique_ptr<data::RepeatedLines> pairs_, sources_, targets_;
  std::unique_ptr<NearDuplicates> near_;
  data::LineSet duplicates_, boilerplate_lines_;
  std::unordered_map<int64_t, int64_t> first_of_;  // of some duplicates
  std::vector<int64_t> groups_;
};

}  // namespace heed::curation
