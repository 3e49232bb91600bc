// Finds which lines of a text have the key of an earlier line, in memory that does not depend on how many lines have
// keys: 16 bytes of each are dealt to 256 parts by their keys and kept in a file; then part after part is sorted.
// Memory: 16 MiB while lines are added, then N / 16 bytes for a text of N lines (6 MB for 100 million).
// Disk: 16 bytes for each line; none for texts below some hundred thousand lines.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heed::data {

class RepeatedLines {
 public:
  /// scratch: where the file is made, if it is needed, under another name that begins with this one. It has no name
  /// once it is open, so that it vanishes with the process.
  explicit RepeatedLines(std::string scratch) : scratch_(std::move(scratch)) {}
  ~RepeatedLines();
  RepeatedLines(const RepeatedLines&) = delete;
  RepeatedLines& operator=(const RepeatedLines&) = delete;

  /// Lines come in increasing order. Throws FileError.
  void add(uint64_t key, int64_t line);
  /// Calls `found` for each line whose key an earlier line has, with the first of these, in any order. Once, after all
  /// add(). Throws FileError.
  void find(const std::function<void(int64_t first, int64_t line)>& found);

 private:
  struct Entry {
    uint64_t key;
    int64_t line;
  };
  struct Part {
    std::vector<Entry> held;
    std::vector<int64_t> blocks;  // where those that were written begin
  };
  void write(Part& part);
  std::vector<Entry> entries_of(const Part& part) const;

  std::string scratch_;
  int descriptor_ = -1;
  int64_t written_ = 0;  // bytes
  std::array<Part, 256> parts_;
};

}  // namespace heed::data
