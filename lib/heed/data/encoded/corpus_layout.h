// The files of an encoded corpus: an index, `train.corpus`, and shards, `train.corpus.0`, `train.corpus.1`, ... Each
// shard has a contiguous range of the text's lines, whose pairs are distributed over the corpus's buckets. Numbers are
// little-endian. Every section begins at a multiple of 8 bytes.
//
// clang-format off
//   index: kMagic; JSON (format, counts, limits, checksums of the text files and of the tokenizers); FileTrailer
//   shard: kShardMagic; blocks; a BlockEntry per block; JSON (ShardOrigin); FileTrailer
//   block: at most kBlockPairs pairs of one bucket, in their order in the text
//     ids      of each pair, source then target: uint16 if the vocabularies have at most 65,536 entries, else int32;
//              numbers of a target are float32, and then ids are int32
//     texts    groups of kGroupPairs pairs, each group deflated: "source LF target LF" per pair, or "target LF"; then
//              "links LF" if the corpus has alignments
//     entries  a PairEntry per pair; then a GroupEntry per group of texts
//     weights  a float32 per pair, if the corpus has weights
// clang-format on
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

inline constexpr std::array<char, 16> kMagic = {'h', 'e', 'e', 'd',  ' ', 'c', 'o', 'r',
                                                'p', 'u', 's', '\n', 0,   0,   0,   0};
inline constexpr std::array<char, 16> kShardMagic = {'h', 'e', 'e', 'd', ' ', 'c', 'o',  'r',
                                                     'p', 'u', 's', ' ', 's', 'h', '\n', 0};
inline constexpr int64_t kCorpusFormat = 4;
inline constexpr int64_t kFormatWithAlignments = 5;  ///< the same with alignments, which older programs cannot read
inline constexpr int64_t kBlockPairs = 65'536;
inline constexpr int64_t kGroupPairs = 32;

struct PairEntry {
  uint32_t ids;   ///< position of the first id among the block's ids
  uint32_t line;  ///< line of the text, counted from the shard's first line
  uint32_t source_ids;
  uint32_t target_ids;
};

struct GroupEntry {
  uint64_t end;   ///< end of the deflated text, from the start of the block's texts
  uint64_t size;  ///< bytes of the text before deflating
};

struct BlockEntry {
  uint64_t begin;  ///< position of the ids in the file; the next three likewise
  uint64_t texts;
  uint64_t entries;
  uint64_t end;
  uint32_t pairs;
  uint32_t bucket;
  uint32_t content_crc;  ///< CRC-32 of ids and texts
  uint32_t entries_crc;  ///< CRC-32 of pair entries, group entries and weights

  uint64_t groups() const { return (pairs + uint64_t{kGroupPairs} - 1) / kGroupPairs; }
  /// Position of the weights.
  uint64_t weights() const { return entries + pairs * sizeof(PairEntry) + groups() * sizeof(GroupEntry); }
};

/// The end of an index or a shard.
struct FileTrailer {
  uint64_t blocks;  ///< position of the first BlockEntry
  uint64_t json;    ///< position of the JSON; it ends where the trailer begins
  uint64_t crc;     ///< CRC-32 of block entries and JSON
};

/// How the pairs of a corpus are stored.
struct CorpusStorage {
  int64_t buckets = 1;
  bool wide_ids = false;  ///< ids are int32, not uint16
  bool operator==(const CorpusStorage&) const = default;
};

/// Everything that determines the bytes of a shard.
struct ShardOrigin {
  std::string tokenizers;  ///< SHA-256 of both tokenizers
  CorpusOptions options;
  CorpusForm form;
  CorpusStorage storage;
  std::string left_out = {};  ///< see CorpusOrigin
  int64_t first_line = 0;
  int64_t lines = 0;
  std::string text;  ///< SHA-256 of the shard's lines
  bool operator==(const ShardOrigin&) const = default;
};

/// The content of the index of a corpus.
struct CorpusIndex {
  CorpusSummary summary;
  CorpusOrigin origin;
  CorpusForm form;
  CorpusStorage storage;
  int64_t shards = 0;
};

std::string shard_path(const std::string& corpus, int64_t shard);

std::string to_json(const CorpusIndex& index);
/// Throws Error if the corpus has another format, and any std::exception if `json` was not written by to_json.
CorpusIndex index_from_json(const std::string& json);
std::string to_json(const ShardOrigin& origin, const CorpusSummary& summary);
void shard_from_json(const std::string& json, ShardOrigin& origin, CorpusSummary& summary);

}  // namespace heed::data
