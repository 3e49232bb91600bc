// Puts pairs in random order, in bounded memory: they are spread over files by the first bits of a random number each,
// then each file is sorted by them in memory. A file of more text is spread over files again, by the next bits. The
// order depends only on the seed and the number of pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "heed/curation/files/pair.h"

namespace heed::curation {

/// A random number for each pair of a corpus. line: from 1.
uint64_t random_key(uint64_t seed, int64_t line);

class RandomOrder {
 public:
  /// scratch: prefix of the names of files, which are unlinked as soon as they are open. memory: bytes of text that are
  /// held before files are used, and the most that are sorted at once.
  RandomOrder(std::string scratch, uint64_t seed, size_t memory = size_t{64} << 20U)
      : RandomOrder(std::move(scratch), seed, memory, /*bits_before=*/0) {}
  ~RandomOrder();
  RandomOrder(const RandomOrder&) = delete;
  RandomOrder& operator=(const RandomOrder&) = delete;

  /// Throws FileError.
  void add(const Pair& pair);
  /// Calls use() for all pairs in random order. Call it once, after all add(). Throws FileError.
  void take(const std::function<void(const Pair&)>& use);

 private:
  static constexpr unsigned kBits = 6;
  static constexpr size_t kParts = size_t{1} << kBits;
  struct Part {
    int descriptor = -1;
    std::string buffer;
    int64_t written = 0;
  };
  RandomOrder(std::string scratch, uint64_t seed, size_t memory, unsigned bits_before);
  void write(Part& part);
  std::string read(const Part& part, int64_t begin, size_t count) const;
  void sort(const Part& part, const std::function<void(const Pair&)>& use) const;
  void spread_again(const Part& part, const std::function<void(const Pair&)>& use) const;

  std::string scratch_;
  uint64_t seed_;
  size_t memory_;
  unsigned bits_before_;  // of the random numbers, in which all pairs are alike
  size_t held_ = 0;
  std::vector<Part> parts_;
};

}  // namespace heed::curation
