// Finds the pairs of a text that nearly repeat an earlier one. Memory: 16 MiB, then 8 bytes per line. Disk while it
// runs: 250 bytes per line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heed/curation/duplicates/min_hash.h"
#include "heed/data/overlap/repeated_lines.h"

namespace heed::curation {

class NearDuplicates {
 public:
  /// similarity: from which on two texts are nearly equal, 0 to 1. scratch: see data::RepeatedLines.
  NearDuplicates(const std::string& scratch, double similarity);
  ~NearDuplicates();
  NearDuplicates(const NearDuplicates&) = delete;
  NearDuplicates& operator=(const NearDuplicates&) = delete;

  /// Adds the next line. A line without letters and digits is never a duplicate. Throws FileError.
  void add(const Sketch& sketch);
  /// The group of each line: the number, from 0, of the first line of it. A line that is like no other is a group by
  /// itself. Lines of a group are nearly equal to the line before them in a chain. Call it once. Throws FileError.
  std::vector<int64_t> groups();

 private:
  using Values = std::array<uint8_t, kSketch>;
  Values values_at(int64_t line) const;
  void flush();

  data::RepeatedLines bands_;
  double similarity_;
  std::string scratch_;
  int descriptor_ = -1;
  std::vector<Values> buffered_;
  int64_t written_ = 0;  // lines
  int64_t lines_ = 0;
};

}  // namespace heed::curation
