// The file of an encoded corpus. Numbers are little-endian; every part begins at a multiple of 8 bytes.
//
//   kMagic
//   blocks of kBlockPairs pairs (the last may have fewer): the pairs' records, then a PairEntry each
//   a BlockEntry for each block
//   JSON: format, counts, limits, checksums of the text files and of the tokenizers
//   CorpusTrailer
// A record is source ids, target ids (int32), source text, target text (UTF-8), zeros up to a multiple of 8 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "heed/data/corpus/encoded_corpus.h"

namespace heed::data {

inline constexpr std::array<char, 16> kMagic = {'h', 'e', 'e', 'd',  ' ', 'c', 'o', 'r',
                                                'p', 'u', 's', '\n', 0,   0,   0,   0};
inline constexpr int64_t kCorpusFormat = 2;
inline constexpr int64_t kBlockPairs = 65'536;

struct PairEntry {
  uint64_t record;  ///< position in the file
  uint64_t line;    ///< of the text it was read from, counted from 0 over all files of a side
  uint32_t source_ids;
  uint32_t target_ids;
  uint32_t source_bytes;
  uint32_t target_bytes;
};

struct BlockEntry {
  uint64_t begin;    ///< position of the first record
  uint64_t entries;  ///< position of the first PairEntry, the end of the records
  uint64_t pairs;
  uint64_t crc;  ///< CRC-32 of records and entries
};

struct CorpusTrailer {
  uint64_t blocks;  ///< position of the first BlockEntry
  uint64_t json;    ///< position of the JSON, the end of the block entries; the JSON ends where the trailer begins
  uint64_t crc;     ///< CRC-32 of block entries and JSON
};

std::string to_json(const CorpusSummary& summary, const CorpusOrigin& origin, const CorpusForm& form);
/// Throws std::exception of any kind when `json` is not what to_json writes, Error when its format is newer.
void from_json(const std::string& json, CorpusSummary& summary, CorpusOrigin& origin, CorpusForm& form);

}  // namespace heed::data
