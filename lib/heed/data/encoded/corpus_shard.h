// Reads a shard of an encoded corpus. Each block is checked against its checksums at its first use.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "heed/core/files/mapped_file.h"
#include "heed/data/encoded/corpus_layout.h"
#include "heed/data/encoded/id_ranges.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Thread-safe. Every member function throws CheckpointError if the file is damaged.
class CorpusShard {
 public:
  /// Reads only the table of blocks. A pair with an id outside `ranges` counts as damaged. Throws FileError.
  explicit CorpusShard(const std::string& path, const IdRanges& ranges = {});

  const ShardOrigin& origin() const { return origin_; }
  const CorpusSummary& summary() const { return summary_; }
  std::span<const BlockEntry> blocks() const { return blocks_; }
  int64_t bytes() const { return static_cast<int64_t>(file_.bytes().size()); }

  /// pair: counted from the first pair of the block, here and below.
  const PairEntry& entry(size_t block, int64_t pair) const;
  text::Ids source_ids(size_t block, int64_t pair) const;
  text::Target target(size_t block, int64_t pair) const;
  /// The source and the links are empty if the corpus has none.
  TextPair text(size_t block, int64_t pair) const;
  /// Weight above 0; 1 if the corpus has no weights.
  float weight(size_t block, int64_t pair) const;
  /// How many of the shard's pairs come from the lines [first, last) of the text.
  int64_t count_lines(int64_t first, int64_t last) const;
  /// Reads and checks the whole shard.
  void check_all() const;

 private:
  /// Bits of a block's parts whose checksums were found right.
  enum Checked : uint8_t { kEntries = 1, kContent = 2 };

  [[noreturn]] void fail() const;
  void require(bool condition) const;
  std::span<const PairEntry> entries(size_t block) const;
  void check_entries(const BlockEntry& block) const;
  uint64_t end_of(const BlockEntry& block) const;
  void check_content(size_t block) const;
  text::Ids ids(size_t block, uint32_t first, uint32_t count, const IdRange& range) const;
  text::Numbers numbers(size_t block, uint32_t first, uint32_t count) const;
  uint32_t crc(uint64_t begin, uint64_t end) const;
  template <class T>
  const T* at(uint64_t position) const {
    return reinterpret_cast<const T*>(file_.bytes().data() + position);
  }

  std::string path_;
  IdRanges ranges_;
  MappedFile file_;
  std::span<const BlockEntry> blocks_;
  ShardOrigin origin_;
  CorpusSummary summary_;
  mutable std::unique_ptr<std::atomic<uint8_t>[]> checked_;  // for each block
};

}  // namespace heed::data
