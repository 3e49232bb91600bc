// Finds the lines of a text that have the same key as an earlier line. The memory does not depend on the number of
// keys. Each line takes 16 bytes in a file, which is divided by key into 256 parts; the parts are sorted one after the
// other. Memory: 16 MiB while lines are added, then N / 16 bytes for a text of N lines (6 MB for 100 million). Disk: 16
// bytes per line; texts below some hundred thousand lines need no file.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heed::data {

class RepeatedLines {
 public:
  /// scratch: prefix of the name of the file, if one is needed. The file is unlinked as soon as it is open, so it
  /// disappears with the process.
  explicit RepeatedLines(std::string scratch) : scratch_(std::move(scratch)) {}
  ~RepeatedLines();
  RepeatedLines(const RepeatedLines&) = delete;
  RepeatedLines& operator=(const RepeatedLines&) = delete;

  /// Add lines in increasing order. Throws FileError.
  void add(uint64_t key, int64_t line);
  /// Calls `found` for each line with the key of an earlier line: for the lines of one key one after the other, and for
  /// the keys in any order. `first` is the first line with this key. Call it once, after all add(). Throws FileError.
  void find(const std::function<void(int64_t first, int64_t line)>& found);

 private:
  struct Entry {
    uint64_t key;
    int64_t line;
  };
  struct Part {
    std::vector<Entry> held;
    std::vector<int64_t> blocks;  // where the written blocks begin
  };
  void write(Part& part);
  std::vector<Entry> entries_of(const Part& part) const;

  std::string scratch_;
  int descriptor_ = -1;
  int64_t written_ = 0;  // bytes
  std::array<Part, 256> parts_;
};

}  // namespace heed::data
