#include "heed/data/encoded/shard_writer.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "heed/core/files/checksum.h"
#include "heed/data/encoded/id_ranges.h"

namespace heed::data {
namespace {

constexpr int64_t kLines = 262'144;
constexpr size_t kBytes = size_t{32} << 20;

}  // namespace

ShardText read_shard(PairReader& reader) {
  ShardText shard{.first_line = reader.pairs(), .pairs = {}, .sha256 = {}, .replaced_lines = 0};
  const int64_t replaced = reader.replaced_lines();
  Sha256 sha;
  size_t bytes = 0;
  EncodedPair pair;
  while (std::ssize(shard.pairs) < kLines && bytes < kBytes && reader.next(pair.text)) {
    pair.line = static_cast<uint64_t>(reader.pairs() - 1);
    for (const std::string* line : {&pair.text.source, &pair.text.target}) {
      sha.update(line->data(), line->size());
      sha.update("\n", 1);
      bytes += line->size() + 1;
    }
    sha.update(&pair.text.weight, sizeof pair.text.weight);
    sha.update(pair.text.alignment.data(), pair.text.alignment.size());
    shard.pairs.push_back(std::exchange(pair, {}));
  }
  shard.sha256 = sha.hex();
  shard.replaced_lines = reader.replaced_lines() - replaced;
  return shard;
}

int64_t usual_buckets(const CorpusFiles& files) {
  constexpr int64_t kMost = 2048;
  uintmax_t bytes = 0;
  for (const SideFile& file : all_files(files)) {
    if (file.side != "vectors") bytes += std::filesystem::file_size(file.path);
  }
  return std::clamp<int64_t>(static_cast<int64_t>(bytes / kBytes), 1, kMost);
}

bool needs_wide_ids(const text::Tokenizers& tokenizers) {
  constexpr int64_t kNarrow = 65'536;
  const IdRanges ranges = id_ranges(tokenizers);
  return ranges.target.first < 0 || ranges.target.last >= kNarrow ||
         (tokenizers.source && ranges.source.last >= kNarrow);
}

}  // namespace heed::data
