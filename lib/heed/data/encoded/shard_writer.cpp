#include "heed/data/encoded/shard_writer.h"

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

#include <zlib.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/parallel.h"
#include "heed/core/random.h"

namespace heed::data {
namespace {

using Pairs = std::span<const EncodedPair* const>;

template <class T>
void append(std::string& bytes, const T* values, size_t count) {
  if (count > 0) bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

void append_ids(std::string& bytes, const text::Ids& ids, bool wide) {
  if (wide) return append(bytes, ids.data(), ids.size());
  for (const int32_t id : ids) {
    const auto narrow = static_cast<uint16_t>(id);
    append(bytes, &narrow, 1);
  }
}

/// Appends the target of a pair. Numbers are as wide as wide ids.
struct AppendTarget {
  std::string& bytes;
  bool wide;
  void operator()(const text::Ids& tokens) const { append_ids(bytes, tokens, wide); }
  void operator()(const text::ClassLabel& of_line) const { append_ids(bytes, {of_line.label}, wide); }
  void operator()(const text::WordLabels& words) const { append_ids(bytes, words.labels, wide); }
  void operator()(const text::Numbers& numbers) const { append(bytes, numbers.values.data(), numbers.values.size()); }
};

void fill_up(std::string& bytes) { bytes.resize((bytes.size() + 7) / 8 * 8, '\0'); }

uint32_t crc_of(std::string_view bytes) {
  return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string text_of(Pairs group, const CorpusForm& form) {
  std::string text;
  for (const EncodedPair* pair : group) {
    if (form.has_source) text += pair->text.source + '\n';
    text += pair->text.target + '\n';
    if (form.has_alignments) text += pair->text.alignment + '\n';
  }
  return text;
}

std::string deflated(const std::string& text) {
  constexpr int kFast = 1;
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                               reinterpret_cast<const Bytef*>(text.data()), text.size(), kFast);
  check(result == Z_OK, "zlib cannot deflate");
  bytes.resize(size);
  return bytes;
}

struct Texts {
  std::string deflated;
  std::vector<GroupEntry> groups;
};

Texts texts_of(Pairs pairs, const CorpusForm& form, int64_t threads) {
  const auto count = (std::ssize(pairs) + kGroupPairs - 1) / kGroupPairs;
  std::vector<std::string> parts(static_cast<size_t>(count));
  Texts texts;
  texts.groups.resize(parts.size());
  parallel_chunks(threads, count, /*chunk=*/64, [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      const auto first = static_cast<size_t>(group * kGroupPairs);
      const auto size = std::min(static_cast<size_t>(kGroupPairs), pairs.size() - first);
      const std::string text = text_of(pairs.subspan(first, size), form);
      texts.groups[static_cast<size_t>(group)].size = text.size();
      parts[static_cast<size_t>(group)] = deflated(text);
    }
  });
  for (size_t group = 0; group < parts.size(); ++group) {
    texts.deflated += parts[group];
    texts.groups[group].end = texts.deflated.size();
  }
  return texts;
}

/// The number of pairs, from the first, that fit into a block.
size_t block_size(Pairs pairs) {
  constexpr uint64_t kMostIds = std::numeric_limits<uint32_t>::max();
  uint64_t ids = 0;
  size_t count = 0;
  for (; count < std::min(pairs.size(), static_cast<size_t>(kBlockPairs)); ++count) {
    ids += pairs[count]->source.size() + static_cast<uint64_t>(text::length(pairs[count]->target));
    if (count > 0 && ids > kMostIds) break;
  }
  return count;
}

class Shard {
 public:
  Shard(const ShardOrigin& origin, int64_t threads) : origin_(origin), threads_(threads) {
    bytes_.assign(kShardMagic.data(), kShardMagic.size());
  }

  void add_block(Pairs pairs, int64_t bucket) {
    BlockEntry block{.begin = bytes_.size(),
                     .texts = 0,
                     .entries = 0,
                     .end = 0,
                     .pairs = static_cast<uint32_t>(pairs.size()),
                     .bucket = static_cast<uint32_t>(bucket),
                     .content_crc = 0,
                     .entries_crc = 0};
    const std::vector<PairEntry> entries = add_ids(pairs);
    const Texts texts = texts_of(pairs, origin_.form, threads_);
    block.texts = bytes_.size();
    bytes_ += texts.deflated;
    fill_up(bytes_);
    block.entries = bytes_.size();
    append(bytes_, entries.data(), entries.size());
    append(bytes_, texts.groups.data(), texts.groups.size());
    if (origin_.form.has_weights) add_weights(pairs);
    block.end = bytes_.size();
    const std::string_view written = bytes_;
    block.content_crc = crc_of(written.substr(block.begin, block.entries - block.begin));
    block.entries_crc = crc_of(written.substr(block.entries));
    blocks_.push_back(block);
  }

  std::string finished(const CorpusSummary& summary) {
    FileTrailer trailer{.blocks = bytes_.size(), .json = 0, .crc = 0};
    append(bytes_, blocks_.data(), blocks_.size());
    trailer.json = bytes_.size();
    bytes_ += to_json(origin_, summary);
    trailer.crc = crc_of(std::string_view(bytes_).substr(trailer.blocks));
    append(bytes_, &trailer, 1);
    return std::move(bytes_);
  }

 private:
  std::vector<PairEntry> add_ids(Pairs pairs) {
    std::vector<PairEntry> entries;
    uint32_t place = 0;
    for (const EncodedPair* pair : pairs) {
      const auto source = static_cast<uint32_t>(pair->source.size()),
                 target = static_cast<uint32_t>(text::length(pair->target));
      entries.push_back({.ids = place,
                         .line = static_cast<uint32_t>(pair->line - static_cast<uint64_t>(origin_.first_line)),
                         .source_ids = source,
                         .target_ids = target});
      append_ids(bytes_, pair->source, origin_.storage.wide_ids);
      std::visit(AppendTarget{bytes_, origin_.storage.wide_ids}, pair->target);
      place += source + target;
    }
    fill_up(bytes_);
    return entries;
  }

  void add_weights(Pairs pairs) {
    for (const EncodedPair* pair : pairs) append(bytes_, &pair->text.weight, 1);
    fill_up(bytes_);
  }

  const ShardOrigin& origin_;
  int64_t threads_;
  std::string bytes_;
  std::vector<BlockEntry> blocks_;
};

}  // namespace

int64_t bucket_of(uint64_t line, int64_t buckets) {
  return static_cast<int64_t>(stream_key(0, Purpose::Shuffle, line, /*second=*/1) % static_cast<uint64_t>(buckets));
}

void write_shard(const std::string& path, Pairs pairs, const ShardOrigin& origin, const CorpusSummary& summary,
                 int64_t threads) {
  std::vector<std::vector<const EncodedPair*>> buckets(static_cast<size_t>(origin.storage.buckets));
  for (const EncodedPair* pair : pairs) {
    buckets[static_cast<size_t>(bucket_of(pair->line, origin.storage.buckets))].push_back(pair);
  }
  Shard shard(origin, threads);
  for (size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    for (Pairs rest = buckets[bucket]; !rest.empty();) {
      const size_t size = block_size(rest);
      shard.add_block(rest.first(size), static_cast<int64_t>(bucket));
      rest = rest.subspan(size);
    }
  }
  write_file(path, shard.finished(summary));
}

}  // namespace heed::data
