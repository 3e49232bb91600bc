#include "heed/data/encoded/encoded_corpus.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/data/encoded/corpus_layout.h"
#include "heed/data/encoded/corpus_shard.h"
#include "heed/data/encoded/index_file.h"
#include "heed/data/encoded/trailer.h"

namespace heed::data {
namespace {

/// Throws if the shard does not belong to this corpus at this line.
void require_part(const CorpusShard& shard, const CorpusIndex& index, int64_t first_line, const std::string& path) {
  const ShardOrigin& origin = shard.origin();
  if (origin.tokenizers != index.origin.tokenizers || origin.options != index.origin.options ||
      origin.form != index.form || origin.storage != index.storage || origin.left_out != index.origin.left_out ||
      origin.first_line != first_line) {
    throw CheckpointError(path, "is not a part of this corpus");
  }
}

}  // namespace

EncodedCorpus::EncodedCorpus(const std::string& path, std::shared_ptr<const SourceVectors> vectors,
                             const IdRanges& ranges)
    : index_(std::make_unique<const CorpusIndex>(read_index(path))), vectors_(std::move(vectors)) {
  CorpusSummary summary;
  for (int64_t i = 0; i < index_->shards; ++i) {
    const std::string name = shard_path(path, i);
    shards_.push_back(std::make_unique<const CorpusShard>(name, ranges));
    require_part(*shards_.back(), *index_, summary.read, name);
    summary += shards_.back()->summary();
  }
  if (summary != index_->summary) throw damaged_corpus(path);
  order_blocks();
  std::ranges::copy_if(index_->origin.files, std::back_inserter(target_files_), holds_targets);
  first_lines_ = first_lines(index_->origin.files);
  if (size() != summary.kept || size() == 0) throw damaged_corpus(path);
}

EncodedCorpus::~EncodedCorpus() = default;

void EncodedCorpus::order_blocks() {
  for (size_t shard = 0; shard < shards_.size(); ++shard) {
    for (size_t place = 0; place < shards_[shard]->blocks().size(); ++place) blocks_.push_back({shard, place});
  }
  const auto entry_of = [this](const Block& block) -> const BlockEntry& {
    return shards_[block.shard]->blocks()[block.place];
  };
  std::ranges::stable_sort(blocks_, {}, [&](const Block& block) { return entry_of(block).bucket; });
  int64_t pairs = 0;
  int64_t bucket = -1;
  for (const Block& block : blocks_) {
    if (entry_of(block).bucket != bucket) buckets_.push_back(pairs);
    bucket = entry_of(block).bucket;
    begins_.push_back(pairs);
    pairs += entry_of(block).pairs;
  }
  begins_.push_back(pairs);
  buckets_.push_back(pairs);
}

EncodedCorpus::Place EncodedCorpus::find(int64_t pair) const {
  check(pair >= 0 && pair < size(), "a pair that the corpus does not have");
  const auto after = std::ranges::upper_bound(begins_, pair);
  const auto block = static_cast<size_t>(after - begins_.begin()) - 1;
  return {*shards_[blocks_[block].shard], blocks_[block].place, pair - begins_[block]};
}

const CorpusForm& EncodedCorpus::form() const { return index_->form; }
const CorpusSummary& EncodedCorpus::summary() const { return index_->summary; }
const CorpusOrigin& EncodedCorpus::origin() const { return index_->origin; }

int64_t EncodedCorpus::bytes() const {
  int64_t bytes = 0;
  for (const auto& shard : shards_) bytes += shard->bytes();
  return bytes;
}

void EncodedCorpus::check_all() const {
  for (const auto& shard : shards_) shard->check_all();
}

text::Ids EncodedCorpus::source_ids(int64_t pair) const {
  const Place place = find(pair);
  return place.shard.source_ids(place.block, place.pair);
}

text::Target EncodedCorpus::target(int64_t pair) const {
  const Place place = find(pair);
  return place.shard.target(place.block, place.pair);
}

TextPair EncodedCorpus::text(int64_t pair) const {
  const Place place = find(pair);
  return place.shard.text(place.block, place.pair);
}

int64_t EncodedCorpus::line(int64_t pair) const {
  const Place place = find(pair);
  return place.shard.origin().first_line + int64_t{place.shard.entry(place.block, place.pair).line};
}

std::string EncodedCorpus::place(int64_t pair) const {
  const size_t file = target_file(pair);
  const bool has_header = target_files_[file].side == "pairs" && origin().options.format.header;
  return fmt::format("{}:{}", target_files_[file].path, line(pair) - first_lines_[file] + (has_header ? 2 : 1));
}

size_t EncodedCorpus::target_file(int64_t pair) const {
  const int64_t place = line(pair);
  if (place >= first_lines_.back()) throw std::logic_error("a pair of a line that the text does not have");
  return static_cast<size_t>(std::ranges::upper_bound(first_lines_, place) - first_lines_.begin()) - 1;
}

float EncodedCorpus::weight(int64_t pair) const {
  const Place place = find(pair);
  return place.shard.weight(place.block, place.pair);
}

int64_t EncodedCorpus::vector_item(int64_t pair) const { return line(pair); }

int64_t EncodedCorpus::source_length(int64_t pair) const {
  const Place place = find(pair);
  const PairEntry& entry = place.shard.entry(place.block, place.pair);
  const int64_t vectors =
      vectors_ ? vectors_->length(place.shard.origin().first_line + static_cast<int64_t>(entry.line)) : 0;
  return entry.source_ids + vectors;
}

int64_t EncodedCorpus::target_length(int64_t pair) const {
  const Place place = find(pair);
  return place.shard.entry(place.block, place.pair).target_ids;
}

}  // namespace heed::data
