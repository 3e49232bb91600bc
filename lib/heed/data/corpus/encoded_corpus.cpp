#include "heed/data/corpus/encoded_corpus.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>

#include <zlib.h>

#include "heed/core/error.h"
#include "heed/data/corpus/corpus_layout.h"

namespace heed::data {
namespace {

/// Checked access to the bytes of a corpus file.
struct CorpusBytes {
  std::span<const std::byte> bytes;
  std::string path;

  [[noreturn]] void fail() const {
    throw CheckpointError(path, "is damaged or cut off: not the corpus that was written");
  }
  void require(bool condition) const {
    if (!condition) fail();
  }
  uint64_t size() const { return bytes.size(); }
  uint64_t crc(uint64_t begin, uint64_t end) const {
    return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + begin), end - begin);
  }
  template <class T>
  const T* at(uint64_t position) const {
    return reinterpret_cast<const T*>(bytes.data() + position);
  }
};

CorpusTrailer checked_trailer(const CorpusBytes& file) {
  file.require(file.size() >= kMagic.size() + sizeof(CorpusTrailer));
  file.require(std::memcmp(file.bytes.data(), kMagic.data(), kMagic.size()) == 0);
  CorpusTrailer trailer;
  const uint64_t end = file.size() - sizeof trailer;
  std::memcpy(&trailer, file.bytes.data() + end, sizeof trailer);
  file.require(trailer.blocks >= kMagic.size() && trailer.blocks <= trailer.json && trailer.json <= end);
  file.require(trailer.blocks % 8 == 0 && (trailer.json - trailer.blocks) % sizeof(BlockEntry) == 0);
  file.require(file.crc(trailer.blocks, end) == trailer.crc);
  return trailer;
}

bool record_fits(const PairEntry& entry, const BlockEntry& block) {
  const uint64_t size =
      (uint64_t{entry.source_ids} + entry.target_ids) * sizeof(int32_t) + entry.source_bytes + entry.target_bytes;
  return entry.record >= block.begin && entry.record % 8 == 0 && entry.record <= block.entries &&
         size <= block.entries - entry.record;
}

/// `begin`: where the block before ended.
const PairEntry* checked_entries(const CorpusBytes& file, const BlockEntry& block, uint64_t begin, uint64_t limit) {
  file.require(block.begin == begin && block.entries >= begin && block.entries <= limit && block.entries % 8 == 0);
  file.require(block.pairs <= kBlockPairs && block.pairs * sizeof(PairEntry) <= limit - block.entries);
  file.require(file.crc(begin, block.entries + block.pairs * sizeof(PairEntry)) == block.crc);
  const auto* entries = file.at<PairEntry>(block.entries);
  for (uint64_t i = 0; i < block.pairs; ++i) file.require(record_fits(entries[i], block));
  return entries;
}

}  // namespace

EncodedCorpus::EncodedCorpus(const std::string& path, std::shared_ptr<const SourceVectors> vectors)
    : file_(path), vectors_(std::move(vectors)) {
  const CorpusBytes file{.bytes = file_.bytes(), .path = path};
  const CorpusTrailer trailer = checked_trailer(file);
  const std::string json(file.at<char>(trailer.json), file.size() - sizeof trailer - trailer.json);
  try {
    from_json(json, summary_, origin_, form_);
  } catch (const Error& error) {
    throw CheckpointError(path, error.what());
  } catch (const std::exception&) {
    file.fail();
  }
  const std::span blocks(file.at<BlockEntry>(trailer.blocks), (trailer.json - trailer.blocks) / sizeof(BlockEntry));
  uint64_t position = kMagic.size();
  int64_t pairs = 0;
  for (const BlockEntry& block : blocks) {
    file.require(pairs % kBlockPairs == 0);
    entries_.push_back(checked_entries(file, block, position, trailer.blocks));
    position = block.entries + block.pairs * sizeof(PairEntry);
    pairs += static_cast<int64_t>(block.pairs);
  }
  file.require(position == trailer.blocks && pairs == summary_.kept && pairs > 0);
}

const PairEntry& EncodedCorpus::entry(int64_t pair) const {
  check(pair >= 0 && pair < size(), "a pair that the corpus does not have");
  return entries_[static_cast<size_t>(pair / kBlockPairs)][pair % kBlockPairs];
}

std::span<const int32_t> EncodedCorpus::source_ids(int64_t pair) const {
  const PairEntry& found = entry(pair);
  return {reinterpret_cast<const int32_t*>(file_.bytes().data() + found.record), found.source_ids};
}

std::span<const int32_t> EncodedCorpus::target_ids(int64_t pair) const {
  const PairEntry& found = entry(pair);
  return {reinterpret_cast<const int32_t*>(file_.bytes().data() + found.record) + found.source_ids, found.target_ids};
}

std::string_view EncodedCorpus::source_text(int64_t pair) const {
  const auto target = target_ids(pair);
  return {reinterpret_cast<const char*>(target.data() + target.size()), entry(pair).source_bytes};
}

std::string_view EncodedCorpus::target_text(int64_t pair) const {
  const std::string_view source = source_text(pair);
  return {source.data() + source.size(), entry(pair).target_bytes};
}

std::string EncodedCorpus::place(int64_t pair) const {
  auto line = static_cast<int64_t>(entry(pair).line);
  for (const CorpusFile& file : origin_.files) {
    if (file.side == "source" || file.side == "vectors") continue;
    if (line < file.lines) return file.path + ':' + std::to_string(line + 1);
    line -= file.lines;
  }
  throw std::logic_error("a pair of a line that the text does not have");
}

int64_t EncodedCorpus::vector_item(int64_t pair) const { return static_cast<int64_t>(entry(pair).line); }

int64_t EncodedCorpus::source_length(int64_t pair) const {
  const PairEntry& found = entry(pair);
  return found.source_ids + (vectors_ ? vectors_->length(static_cast<int64_t>(found.line)) : 0);
}

int64_t EncodedCorpus::target_length(int64_t pair) const { return entry(pair).target_ids; }

}  // namespace heed::data
