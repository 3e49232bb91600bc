// Text with structure: corpora, lists, vectors and glossaries.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <zlib.h>

#include "fuzz/target.h"
#include "fuzz/targets/targets.h"
#include "heed/curation/files/pair_input.h"
#include "heed/data/corpus/corpus_files.h"
#include "heed/data/encoded/corpus_layout.h"
#include "heed/data/encoded/corpus_shard.h"
#include "heed/data/encoded/index_file.h"
#include "heed/reranking/feature.h"
#include "heed/reranking/n_best_reader.h"
#include "heed/translation/lines/glossary_file.h"
#include "heed/vectors/word_vectors.h"

namespace heed::fuzz {
namespace {

uint32_t sum_of(std::string_view bytes) {
  return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Gives a changed file the checksums of its content, so that reading does not end there.
std::string with_checksums(std::string bytes) {
  data::FileTrailer trailer;
  if (bytes.size() < sizeof trailer) return bytes;
  const size_t end = bytes.size() - sizeof trailer;
  std::memcpy(&trailer, bytes.data() + end, sizeof trailer);
  const auto part = [&](uint64_t from, uint64_t to) { return std::string_view(bytes).substr(from, to - from); };
  if (trailer.blocks > trailer.json || trailer.json > end) return bytes;
  for (uint64_t at = trailer.blocks; at + sizeof(data::BlockEntry) <= trailer.json; at += sizeof(data::BlockEntry)) {
    data::BlockEntry block;
    std::memcpy(&block, bytes.data() + at, sizeof block);
    if (block.begin > block.entries || block.entries > block.end || block.end > end) continue;
    block.content_crc = sum_of(part(block.begin, block.entries));
    block.entries_crc = sum_of(part(block.entries, block.end));
    std::memcpy(bytes.data() + at, &block, sizeof block);
  }
  trailer.crc = sum_of(part(trailer.blocks, end));
  std::memcpy(bytes.data() + end, &trailer, sizeof trailer);
  return bytes;
}

void read_shard(const std::string& path) {
  const data::CorpusShard shard(path);
  attempt([&] { shard.check_all(); });
  for (size_t block = 0; block < std::min<size_t>(shard.blocks().size(), 4); ++block) {
    for (int64_t pair = 0; pair < std::min<int64_t>(shard.blocks()[block].pairs, 40); ++pair) {
      attempt([&] { shard.source_ids(block, pair); });
      attempt([&] { shard.target(block, pair); });
      attempt([&] { shard.text(block, pair); });
      attempt([&] { shard.weight(block, pair); });
    }
  }
}

void read_pairs(const curation::CorpusText& corpus) {
  const auto pairs = curation::open_pairs(corpus);
  curation::Pair pair;
  while (pairs->next(pair)) require(pair.source.find('\n') == std::string::npos || !pair.source.empty());
}

void read_table(const std::string& path, const data::TextFormat& format, bool weights) {
  const data::CorpusFiles files{.source = {}, .target = {}, .pairs = {path}, .weight_column = weights};
  data::PairReader reader(files, format);
  data::TextPair pair;
  while (reader.next(pair)) require(pair.weight >= 0);
  reader.log_advice("");
}

void read_glossary(const std::string& path) {
  translation::GlossaryFile file(path);
  std::string source, target;
  while (file.next(source, target)) require(!source.empty());
  file.log_advice();
}

curation::CorpusText corpus_text(const std::string& path, curation::PairFormat format) {
  curation::CorpusText corpus;
  corpus.files.pairs = {path};
  corpus.format = format;
  corpus.source_field = "en";
  corpus.target_field = "de";
  return corpus;
}

}  // namespace

void read_corpus(std::string_view input) {
  const std::string path = as_file(with_checksums(std::string(input)), "train.corpus.0");
  attempt([&] { read_shard(path); });
  data::read_index(path);
}

void read_tables(std::string_view input) {
  const std::string path = as_file(input, "pairs.tsv");
  for (const data::Quotes quotes : {data::Quotes::None, data::Quotes::Double}) {
    for (const data::BadRows bad : {data::BadRows::Fail, data::BadRows::LeaveOut}) {
      const data::TextFormat format{.invalid_text = InvalidText::Replace,
                                    .quotes = quotes,
                                    .header = bad == data::BadRows::Fail,
                                    .bad_rows = bad};
      attempt([&] { read_table(path, format, quotes == data::Quotes::Double); });
    }
  }
  auto corpus = corpus_text(path, curation::PairFormat::Tsv);
  corpus.source_field.clear();
  corpus.target_field.clear();
  read_pairs(corpus);
}

void read_json_lines(std::string_view input) {
  read_pairs(corpus_text(as_file(input, "pairs.jsonl"), curation::PairFormat::JsonLines));
}

void read_tmx_pairs(std::string_view input) {
  read_pairs(corpus_text(as_file(input, "pairs.tmx"), curation::PairFormat::Tmx));
}

void read_n_best_lists(std::string_view input) {
  reranking::NBestReader reader(as_file(input, "n-best"), InvalidText::Replace);
  reranking::NBestList list;
  while (reader.next(list)) require(!list.candidates.empty());
}

void read_feature_weights(std::string_view input) { reranking::read_features(as_file(input, "weights.toml")); }

void read_vectors_of_words(std::string_view input) {
  const vectors::WordVectors vectors = vectors::read_word_vectors(as_file(input, "vectors.txt"));
  if (vectors.size() > 0) vectors::nearest(vectors, vectors.vector(0), 3);
  vectors::format_word_vectors(vectors, vectors::VectorFormat::Word2vec);
}

void read_csv_glossary(std::string_view input) { read_glossary(as_file(input, "glossary.csv")); }
void read_tbx_glossary(std::string_view input) { read_glossary(as_file(input, "glossary.tbx")); }
void read_terms(std::string_view input) { read_glossary(as_file(input, "terms.txt")); }

}  // namespace heed::fuzz
