// A corpus as training reads it: the ids and the text of every pair. The files are written once and memory-mapped. So a
// corpus may be larger than memory, and a resumed run does not encode it again.
//
// The pairs of a large corpus are distributed over buckets by a hash of their line numbers. So each bucket is a uniform
// sample of the corpus. The pairs of a bucket are contiguous: pairs are numbered bucket by bucket, and within a bucket
// in the order of the text.
//
// corpus_layout.h describes the layout of the files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/corpus/source_vectors.h"
#include "heed/data/encoded/encoded_pairs.h"
#include "heed/data/encoded/id_ranges.h"
#include "heed/data/overlap/left_out_lines.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// One text file that a corpus was made from.
struct CorpusFile {
  std::string side;      ///< as in SideFile
  std::string path;      ///< path when the corpus was made
  int64_t size = 0;      ///< bytes as stored, before unpacking
  int64_t modified = 0;  ///< time of modification in nanoseconds, by the file system's clock
  int64_t lines = 0;     ///< lines read; for a file of vectors its items
  int64_t kept = 0;      ///< lines that the corpus kept
  std::string sha256;    ///< of the bytes as stored, before unpacking
  bool operator==(const CorpusFile&) const = default;
};

/// What a corpus was made from. It determines whether an encoded corpus can be used again.
struct CorpusOrigin {
  std::vector<CorpusFile> files;
  std::string tokenizers;  ///< SHA-256 of both tokenizers
  CorpusOptions options;
  std::string left_out = {};  ///< ExcludedLines::origin: the text its lines were compared with; empty: they were not
                              ///< compared
};

class CorpusShard;
struct CorpusIndex;

/// Read-only and thread-safe.
class EncodedCorpus : public EncodedPairs {
 public:
  /// Reads no pairs yet. The checksum of a block is compared at its first use; every use of a damaged block throws
  /// CheckpointError. The constructor throws FileError, and CheckpointError if the file is not a corpus of this format.
  /// vectors: those of the sources of the text's lines; null if the corpus was made without vectors.
  /// ranges: the ids that the reader can use (id_ranges.h). A pair with another id counts as damaged.
  explicit EncodedCorpus(const std::string& path, std::shared_ptr<const SourceVectors> vectors = nullptr,
                         const IdRanges& ranges = {});
  ~EncodedCorpus() override;

  /// Number of pairs. Their indices start at 0.
  int64_t size() const { return begins_.back(); }
  /// The first pair of each bucket, then the end of the last. A small corpus has one bucket.
  const std::vector<int64_t>& buckets() const { return buckets_; }
  /// The files that the targets (or pairs) were read from, and the file of one pair.
  const std::vector<CorpusFile>& target_files() const { return target_files_; }
  size_t target_file(int64_t pair) const;

  const CorpusForm& form() const override;
  text::Ids source_ids(int64_t pair) const override;
  text::Target target(int64_t pair) const override;
  TextPair text(int64_t pair) const override;
  std::string place(int64_t pair) const override;
  float weight(int64_t pair) const override;
  const SourceVectors* vectors() const override { return vectors_.get(); }
  int64_t vector_item(int64_t pair) const override;
  /// Looked up without reading the ids; target_length() too.
  int64_t source_length(int64_t pair) const override;
  int64_t target_length(int64_t pair) const override;
  const CorpusOptions& limits() const override { return origin().options; }

  const CorpusSummary& summary() const;
  const CorpusOrigin& origin() const;
  /// Bytes of all shards, without the index.
  int64_t bytes() const;
  /// Reads and checks the whole corpus. Throws CheckpointError if it is damaged.
  void check_all() const;

 private:
  struct Block {
    size_t shard;
    size_t place;  // in the shard
  };
  struct Place {
    const CorpusShard& shard;
    size_t block;
    int64_t pair;  // in the block
  };
  Place find(int64_t pair) const;
  /// The line that a pair was read from, counted from 0 over all files of a side.
  int64_t line(int64_t pair) const;
  void order_blocks();

  std::unique_ptr<const CorpusIndex> index_;
  std::vector<std::unique_ptr<const CorpusShard>> shards_;
  std::vector<Block> blocks_;     // in the order of the buckets
  std::vector<int64_t> begins_;   // the first pair of each block, then the end of the last
  std::vector<int64_t> buckets_;  // the first pair of each bucket, then the end of the last
  std::vector<CorpusFile> target_files_;
  std::vector<int64_t> first_lines_;  // the first line of each target file, then the end of the last
  std::shared_ptr<const SourceVectors> vectors_;
};

/// How the encoding of a corpus is divided.
struct EncodingWork {
  int64_t threads = 1;
  /// Buckets that pairs are distributed over. 1: pairs keep their order. 0: one bucket per 32 MiB of text
  /// (usual_buckets).
  int64_t buckets = 1;
  /// `ranks` ranks encode the corpus together, and this is number `rank`. Each rank encodes its own shards.
  int64_t rank = 0, ranks = 1;
};

/// What the shards of a corpus were made from.
struct ShardedText {
  int64_t shards = 0;
  std::vector<int64_t> lines;  ///< lines of each file
};

/// Encodes those shards of the text that belong to this rank. It keeps shards that an interrupted encoding has left.
/// Each shard is a file next to `path` and is written atomically. The memory used does not grow with the corpus. Throws
/// what PairReader does. Also throws for a target that its tokenizer refuses, or if the numbers of labels and source
/// words differ.
/// vectors: files.vectors, opened. All of them are read. Throws InputError if the numbers of items and lines differ.
/// left_out: needed if options.filters.compare_lines().
ShardedText encode_shards(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                          const CorpusOptions& options, const EncodingWork& work,
                          const SourceVectors* vectors = nullptr, const ExcludedLines& left_out = {});
/// Writes the index at `path`. Call it when all shards are written. Throws InputError if no pair was kept.
CorpusSummary finish_corpus(const std::string& path, const CorpusFiles& files, const ShardedText& text);
/// Encodes the shards and writes the index. Every file is read twice (SpooledFiles).
CorpusSummary build_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                           const CorpusOptions& options, const EncodingWork& work = {},
                           const SourceVectors* vectors = nullptr, const ExcludedLines& left_out = {});

/// Whether the corpus at `path` was made from these files, tokenizers and options. Files are compared by content,
/// unless path, size and time are the same. If the corpus does not fit, the reason is logged. left_out:
/// ExcludedLines::origin.
bool has_fitting_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                        const CorpusOptions& options, const std::string& left_out = "");
/// Opens a corpus and logs its summary. It is a warning if pairs were left out or many tokens are unknown.
std::shared_ptr<const EncodedCorpus> open_corpus(const std::string& path, const CorpusFiles& files,
                                                 const text::Tokenizers& tokenizers,
                                                 std::shared_ptr<const SourceVectors> vectors = nullptr);
/// Opens the corpus at `path` if it fits. Otherwise builds it again.
std::shared_ptr<const EncodedCorpus> open_or_build_corpus(const std::string& path, const CorpusFiles& files,
                                                          const text::Tokenizers& tokenizers,
                                                          const CorpusOptions& options, const EncodingWork& work = {},
                                                          std::shared_ptr<const SourceVectors> vectors = nullptr);

}  // namespace heed::data
