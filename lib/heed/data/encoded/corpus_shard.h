// Reads a shard of an encoded corpus. What was written is checked block by block, when a block is first looked at.
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

/// Any number of threads may read. Throws CheckpointError, in every member, where the file is damaged.
class CorpusShard {
 public:
  /// Reads only the table of blocks. A pair with an id out of `ranges` is damaged. Throws FileError.
  explicit CorpusShard(const std::string& path, const IdRanges& ranges = {});

  const ShardOrigin& origin() const { return origin_; }
  const CorpusSummary& summary() const { return summary_; }
  std::span<const BlockEntry> blocks() const { return blocks_; }
  int64_t bytes() const { return static_cast<int64_t>(file_.bytes().size()); }

  /// pair: counted from the block's first, as below.
  const PairEntry& entry(size_t block, int64_t pair) const;
  text::Ids source_ids(size_t block, int64_t pair) const;
  text::Ids target_ids(size_t block, int64_t pair) const;
  /// Without a source the first is empty.
  TextPair text(size_t block, int64_t pair) const;
  /// Above 0; 1 where the corpus has no weights.
  float weight(size_t block, int64_t pair) const;
  /// How many of its pairs were read from the lines [first, last) of the text.
  int64_t count_lines(int64_t first, int64_t last) const;
  /// Reads all of it.
  void check_all() const;

 private:
  /// Bits of what is known to be whole.
  enum Checked : uint8_t { kEntries = 1, kContent = 2 };

  [[noreturn]] void fail() const;
  void require(bool condition) const;
  std::span<const PairEntry> entries(size_t block) const;
  void check_entries(const BlockEntry& block) const;
  uint64_t end_of(const BlockEntry& block) const;
  void check_content(size_t block) const;
  text::Ids ids(size_t block, uint32_t first, uint32_t count, const IdRange& range) const;
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
  mutable std::unique_ptr<std::atomic<uint8_t>[]> checked_;  // of each block
};

}  // namespace heed::data
