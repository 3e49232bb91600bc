// How many pairs of a training text are duplicates, or are also in the validation text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::data {

/// Without a source, lines are counted instead of pairs. If sources are vectors, nothing is compared: all counts except
/// `pairs` are 0.
struct OverlapCounts {
  int64_t pairs = 0;                      ///< of the training text
  std::optional<int64_t> duplicates = 0;  ///< that repeat an earlier one; none: the disk was too full to count them
  int64_t leaking = 0;                    ///< that are in the validation text
  int64_t valid_pairs = 0;                ///< of the validation text, without blank ones; 0 without such a text
  int64_t valid_found = 0;                ///< of them, that are in the training text
  int64_t valid_sources_found = 0;        ///< of them, whose source is the source of a training pair
  std::vector<std::string> duplicate_examples = {};  ///< "train.tsv:7 repeats train.tsv:2"
  std::vector<std::string> leaking_examples = {};    ///< "train.tsv:7 is dev.tsv:1"
  bool operator==(const OverlapCounts&) const = default;
};

}  // namespace heed::data
