#include "heed/data/encoded/corpus_shard.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

#include <zlib.h>

#include "heed/core/error.h"
#include "heed/data/encoded/trailer.h"

namespace heed::data {
namespace {

constexpr uint64_t kMostInflated = 1032;  // most bytes that one deflated byte expands to
                                          // (https://zlib.net/zlib_tech.html)

/// One pair of a group's text.
TextPair pair_of(std::string_view text, int64_t pair, const CorpusForm& form) {
  const auto next_line = [&text] {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
    return line;
  };
  const int64_t lines_of_pair = 1 + (form.has_source ? 1 : 0) + (form.has_alignments ? 1 : 0);
  for (int64_t line = 0; line < pair * lines_of_pair; ++line) next_line();
  TextPair lines;
  if (form.has_source) lines.source = next_line();
  lines.target = next_line();
  if (form.has_alignments) lines.alignment = next_line();
  return lines;
}

}  // namespace

CorpusShard::CorpusShard(const std::string& path, const IdRanges& ranges) : path_(path), ranges_(ranges), file_(path) {
  file_.expect_scattered();  // readers jump between shards: each bucket has blocks in many of them
  const FileTrailer trailer = checked_trailer(file_.bytes(), kShardMagic, path);
  try {
    shard_from_json(trailing_json(file_.bytes(), trailer), origin_, summary_);
  } catch (const Error& error) {
    throw CheckpointError(path, error.what());
  } catch (const std::exception&) {
    fail();
  }
  blocks_ = {at<BlockEntry>(trailer.blocks), (trailer.json - trailer.blocks) / sizeof(BlockEntry)};
  checked_ = std::make_unique<std::atomic<uint8_t>[]>(blocks_.size());
  uint64_t position = kShardMagic.size();
  for (const BlockEntry& block : blocks_) {
    require(block.begin == position && block.begin <= block.texts && block.texts <= block.entries);
    require(block.texts % 8 == 0 && block.entries % 8 == 0 && block.pairs > 0 && block.pairs <= kBlockPairs);
    require(block.entries <= trailer.blocks && block.end == end_of(block) && block.end <= trailer.blocks);
    position = block.end;
  }
  require(position == trailer.blocks);
}

void CorpusShard::fail() const { throw damaged_corpus(path_); }

void CorpusShard::require(bool condition) const {
  if (!condition) fail();
}

uint32_t CorpusShard::crc(uint64_t begin, uint64_t end) const {
  file_.fetch(file_.bytes().subspan(begin, end - begin));
  return static_cast<uint32_t>(crc32_z(0, at<Bytef>(begin), end - begin));
}

/// The end of a block with this number of pairs.
uint64_t CorpusShard::end_of(const BlockEntry& block) const {
  const uint64_t weights = origin_.form.has_weights ? block.pairs * sizeof(float) : 0;
  return (block.weights() + weights + 7) / 8 * 8;
}

void CorpusShard::check_entries(const BlockEntry& block) const {
  require(crc(block.entries, block.end) == block.entries_crc);
  const uint64_t ids = (block.texts - block.begin) / (origin_.storage.wide_ids ? 4 : 2);
  for (const PairEntry& entry : std::span(at<PairEntry>(block.entries), block.pairs)) {
    require(uint64_t{entry.ids} + entry.source_ids + entry.target_ids <= ids);
  }
  uint64_t end = 0;
  const auto* groups = at<GroupEntry>(block.entries + block.pairs * sizeof(PairEntry));
  for (const GroupEntry& group : std::span(groups, block.groups())) {
    require(group.end >= end && group.end <= block.entries - block.texts);
    require(group.size / kMostInflated <= group.end - end);
    end = group.end;
  }
  if (!origin_.form.has_weights) return;
  for (const float weight : std::span(at<float>(block.weights()), block.pairs)) require(weight > 0);
}

std::span<const PairEntry> CorpusShard::entries(size_t block) const {
  const BlockEntry& found = blocks_[block];
  if (!(checked_[block].load(std::memory_order_acquire) & kEntries)) {
    check_entries(found);
    checked_[block].fetch_or(kEntries, std::memory_order_release);
  }
  return {at<PairEntry>(found.entries), found.pairs};
}

void CorpusShard::check_content(size_t block) const {
  if (checked_[block].load(std::memory_order_acquire) & kContent) return;
  require(crc(blocks_[block].begin, blocks_[block].entries) == blocks_[block].content_crc);
  checked_[block].fetch_or(kContent, std::memory_order_release);
}

void CorpusShard::check_all() const {
  for (size_t block = 0; block < blocks_.size(); ++block) {
    entries(block);
    check_content(block);
  }
}

int64_t CorpusShard::count_lines(int64_t first, int64_t last) const {
  int64_t count = 0;
  for (size_t block = 0; block < blocks_.size(); ++block) {
    count += std::ranges::count_if(entries(block), [&](const PairEntry& entry) {
      const int64_t line = origin_.first_line + int64_t{entry.line};
      return first <= line && line < last;
    });
  }
  return count;
}

const PairEntry& CorpusShard::entry(size_t block, int64_t pair) const {
  return entries(block)[static_cast<size_t>(pair)];
}

float CorpusShard::weight(size_t block, int64_t pair) const {
  entries(block);
  return origin_.form.has_weights ? at<float>(blocks_[block].weights())[pair] : 1;
}

text::Ids CorpusShard::ids(size_t block, uint32_t first, uint32_t count, const IdRange& range) const {
  check_content(block);
  const uint64_t begin = blocks_[block].begin;
  const auto copied = [&](const auto* all) { return text::Ids(all + first, all + first + count); };
  text::Ids ids = origin_.storage.wide_ids ? copied(at<int32_t>(begin)) : copied(at<uint16_t>(begin));
  require(range.holds(ids));
  return ids;
}

text::Ids CorpusShard::source_ids(size_t block, int64_t pair) const {
  const PairEntry& found = entry(block, pair);
  return ids(block, found.ids, found.source_ids, ranges_.source);
}

text::Numbers CorpusShard::numbers(size_t block, uint32_t first, uint32_t count) const {
  check_content(block);
  require(origin_.storage.wide_ids);
  const auto* all = at<float>(blocks_[block].begin);
  return {.values = {all + first, all + first + count}};
}

text::Target CorpusShard::target(size_t block, int64_t pair) const {
  const PairEntry& found = entry(block, pair);
  const uint32_t first = found.ids + found.source_ids;
  const text::Target& type = origin_.form.target;
  if (std::holds_alternative<text::Numbers>(type)) return numbers(block, first, found.target_ids);
  text::Ids target = ids(block, first, found.target_ids, ranges_.target);
  if (std::holds_alternative<text::Ids>(type)) return target;
  if (std::holds_alternative<text::WordLabels>(type)) return text::WordLabels{std::move(target)};
  require(target.size() == 1);
  return text::ClassLabel{target[0]};
}

TextPair CorpusShard::text(size_t block, int64_t pair) const {
  entries(block);
  check_content(block);
  const BlockEntry& found = blocks_[block];
  const auto* groups = at<GroupEntry>(found.entries + found.pairs * sizeof(PairEntry));
  const int64_t group = pair / kGroupPairs;
  const uint64_t begin = group == 0 ? 0 : groups[group - 1].end;
  std::string text(groups[group].size, '\0');
  uLongf size = text.size();
  const int result = uncompress(reinterpret_cast<Bytef*>(text.data()), &size, at<Bytef>(found.texts + begin),
                                groups[group].end - begin);
  require(result == Z_OK && size == text.size());
  return pair_of(text, pair % kGroupPairs, origin_.form);
}

}  // namespace heed::data
