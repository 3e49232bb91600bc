// A corpus as a model reads it: the ids and the text of every pair in files that are written once and mapped into
// memory, so that a corpus larger than memory can be trained on and a run can be resumed without encoding again.
//
// A large corpus is dealt to buckets, by a hash of each line's number: each bucket is a uniform sample of the whole,
// and its pairs stand together. Pairs are numbered bucket by bucket, within a bucket in the order of the text.
//
// The layout of the files is in corpus_layout.h.
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

/// One text file that a corpus was made of.
struct CorpusFile {
  std::string side;      ///< of SideFile
  std::string path;      ///< when the corpus was made
  int64_t size = 0;      ///< bytes, as stored
  int64_t modified = 0;  ///< nanoseconds of the file system's clock
  int64_t lines = 0;     ///< lines it was found to have; items of a file of vectors
  int64_t kept = 0;      ///< of them, in the corpus
  std::string sha256;    ///< of the bytes as stored
  bool operator==(const CorpusFile&) const = default;
};

/// Where a corpus comes from: decides whether an encoded corpus fits.
struct CorpusOrigin {
  std::vector<CorpusFile> files;
  std::string tokenizers;  ///< SHA-256 of both tokenizers
  CorpusOptions options;
  std::string left_out = {};  ///< of LeftOutLines: the text that its lines were compared with; empty: with none
};

class CorpusShard;
struct CorpusIndex;

/// Read-only; any number of threads may read.
class EncodedCorpus : public EncodedPairs {
 public:
  /// Reads no pairs yet: those of a block are compared with their checksum when the block is first looked at, and
  /// whatever looks at them throws CheckpointError where they are damaged. Throws FileError; CheckpointError when it is
  /// no corpus of this format.
  /// vectors: of the sources of the lines that it was made of; null where it was made without.
  /// ranges: ids that whoever reads it can use (id_ranges.h); a pair with another id is damaged.
  explicit EncodedCorpus(const std::string& path, std::shared_ptr<const SourceVectors> vectors = nullptr,
                         const IdRanges& ranges = {});
  ~EncodedCorpus() override;

  /// Pairs; their indices run from 0.
  int64_t size() const { return begins_.back(); }
  /// Where each bucket begins, and the end of the last: one bucket, unless a large corpus was dealt to several.
  const std::vector<int64_t>& buckets() const { return buckets_; }
  /// The files that targets (or pairs) were read from, and which of them a pair is from.
  const std::vector<CorpusFile>& target_files() const { return target_files_; }
  size_t target_file(int64_t pair) const;

  bool has_source() const override;
  text::TargetKind target_kind() const override;
  text::Ids source_ids(int64_t pair) const override;
  text::Ids target_ids(int64_t pair) const override;
  TextPair text(int64_t pair) const override;
  std::string place(int64_t pair) const override;
  bool has_weights() const override;
  float weight(int64_t pair) const override;
  const SourceVectors* vectors() const override { return vectors_.get(); }
  int64_t vector_item(int64_t pair) const override;
  /// Found without touching the records, as the next.
  int64_t source_length(int64_t pair) const override;
  int64_t target_length(int64_t pair) const override;
  const CorpusOptions& limits() const override { return origin().options; }

  const CorpusSummary& summary() const;
  const CorpusOrigin& origin() const;
  /// Of all files, but for the index.
  int64_t bytes() const;
  /// Reads all of it. Throws CheckpointError where it is damaged.
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
  /// Of the text it was read from, counted from 0 over all files of a side.
  int64_t line(int64_t pair) const;
  void order_blocks();

  std::unique_ptr<const CorpusIndex> index_;
  std::vector<std::unique_ptr<const CorpusShard>> shards_;
  std::vector<Block> blocks_;     // bucket by bucket
  std::vector<int64_t> begins_;   // the first pair of each block, and the end
  std::vector<int64_t> buckets_;  // the first pair of each, and the end
  std::vector<CorpusFile> target_files_;
  std::vector<int64_t> first_lines_;  // of each of them, and the end
  std::shared_ptr<const SourceVectors> vectors_;
};

/// How a corpus is encoded.
struct EncodingWork {
  int64_t threads = 1;
  /// That pairs are dealt to; 1: they keep their order; 0: one for each 32 MiB of text (usual_buckets).
  int64_t buckets = 1;
  /// Of these many ranks that encode the corpus together, each the shards that are its own.
  int64_t rank = 0, ranks = 1;
};

/// What the shards of a corpus are of.
struct ShardedText {
  int64_t shards = 0;
  std::vector<int64_t> lines;  ///< of each file
};

/// Encodes those shards of the text into files beside `path` that are this rank's and are not there, from an encoding
/// that was broken off: each atomically, in memory that does not grow with the corpus. Throws what PairReader does, and
/// at a line that the target's tokenizer refuses or whose labels are not as many as the source's words.
/// vectors: files.vectors, opened; every one of them is looked at. Throws InputError where they are not as many as the
/// lines.
/// left_out: where options.filters.compare_lines().
ShardedText encode_shards(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                          const CorpusOptions& options, const EncodingWork& work,
                          const SourceVectors* vectors = nullptr, const LeftOutLines& left_out = {});
/// Once all shards are there: writes the index at `path`. Throws InputError when no pair is left.
CorpusSummary finish_corpus(const std::string& path, const CorpusFiles& files, const ShardedText& text);
/// Both. Every file is read twice (RereadableFiles).
CorpusSummary build_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                           const CorpusOptions& options, const EncodingWork& work = {},
                           const SourceVectors* vectors = nullptr, const LeftOutLines& left_out = {});

/// Whether the corpus at `path` was made from these files (compared by content, unless their size and time are the
/// same), tokenizers and options. Logs why one that is there was not. left_out: LeftOutLines::origin.
bool has_fitting_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                        const CorpusOptions& options, const std::string& left_out = "");
/// Logs the summary, as a warning where pairs were left out or many tokens are unknown.
std::shared_ptr<const EncodedCorpus> open_corpus(const std::string& path, const CorpusFiles& files,
                                                 const text::Tokenizers& tokenizers,
                                                 std::shared_ptr<const SourceVectors> vectors = nullptr);
/// The corpus at `path` where it fits; otherwise builds it anew.
std::shared_ptr<const EncodedCorpus> open_or_build_corpus(const std::string& path, const CorpusFiles& files,
                                                          const text::Tokenizers& tokenizers,
                                                          const CorpusOptions& options, const EncodingWork& work = {},
                                                          std::shared_ptr<const SourceVectors> vectors = nullptr);

}  // namespace heed::data
