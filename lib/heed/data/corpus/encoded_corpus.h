// A corpus as a model reads it: the ids and the text of every pair in one file that is written once and mapped into
// memory, so that a corpus larger than memory can be trained on and a run can be resumed without encoding again.
//
// The layout of the file is in corpus_layout.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/files/mapped_file.h"
#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/source_vectors.h"
#include "heed/data/data_options.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// What the pairs of a corpus are.
struct CorpusForm {
  bool has_source = false;
  text::TargetKind target = text::TargetKind::Text;
  bool operator==(const CorpusForm&) const = default;
};

/// What became of the pairs of a corpus.
struct CorpusSummary {
  int64_t read = 0;  ///< pairs in the files
  int64_t kept = 0;
  int64_t empty = 0;           ///< left out: a side is blank, or has no token
  int64_t too_long = 0;        ///< left out: a side has more ids than the limits allow
  int64_t replaced_lines = 0;  ///< lines in which ill-formed UTF-8 was replaced
  int64_t source_tokens = 0;   ///< of the pairs kept, eos counted, and vectors; 0 for a language model
  int64_t target_tokens = 0;   ///< of the pairs kept, eos counted; labels, or numbers
  int64_t source_unknown = 0;  ///< tokens kept that the vocabulary lacks
  int64_t target_unknown = 0;
  double source_unknown_share() const;  ///< of the source tokens but eos, in [0, 1]
  double target_unknown_share() const;
  bool operator==(const CorpusSummary&) const = default;
};
/// One sentence for the log, such as "29000 pairs, 28990 of them kept; left out: 4 with an empty side, 6 with
/// more than 256 source or 256 target tokens". Without a source it is lines that are counted.
std::string summary_text(const CorpusSummary& summary, const CorpusOptions& options, const CorpusForm& form);

/// One text file that a corpus was made of.
struct CorpusFile {
  std::string side;    ///< "source", "target", "pairs" or "vectors"
  std::string path;    ///< when the corpus was made
  int64_t size = 0;    ///< bytes, as stored
  int64_t lines = 0;   ///< lines it was found to have; items of a file of vectors
  std::string sha256;  ///< of the bytes as stored
  bool operator==(const CorpusFile&) const = default;
};

/// Where a corpus comes from: decides whether an encoded corpus fits.
struct CorpusOrigin {
  std::vector<CorpusFile> files;
  std::string tokenizers;  ///< SHA-256 of both tokenizers
  CorpusOptions options;
};

struct PairEntry;

/// Read-only; any number of threads may read.
class EncodedCorpus {
 public:
  /// Reads the whole file once to compare checksums. Throws FileError; CheckpointError when it is no undamaged corpus
  /// of this format.
  /// vectors: of the sources of the lines that it was made of; null where it was made without.
  explicit EncodedCorpus(const std::string& path, std::shared_ptr<const SourceVectors> vectors = nullptr);

  /// Pairs; their indices run from 0 in the order of the files.
  int64_t size() const { return summary_.kept; }
  bool has_source() const { return form_.has_source; }
  text::TargetKind target_kind() const { return form_.target; }
  /// Ids without bos and eos; empty for the source of a language model. Of word labels the target has an id for each of
  /// the source's: the label where a word begins, kNoLabel elsewhere.
  std::span<const int32_t> source_ids(int64_t pair) const;
  std::span<const int32_t> target_ids(int64_t pair) const;
  /// The lines as read.
  std::string_view source_text(int64_t pair) const;
  std::string_view target_text(int64_t pair) const;
  /// Where the target (or pair) was read, "train.de:5", for messages.
  std::string place(int64_t pair) const;
  /// The vectors of the sources, and which item of them is that of a pair; null: there are none.
  const SourceVectors* vectors() const { return vectors_.get(); }
  int64_t vector_item(int64_t pair) const;
  /// The numbers of ids, and of vectors that an encoder reads, found without touching the records.
  int64_t source_length(int64_t pair) const;
  int64_t target_length(int64_t pair) const;

  const CorpusSummary& summary() const { return summary_; }
  const CorpusOrigin& origin() const { return origin_; }

 private:
  const PairEntry& entry(int64_t pair) const;

  MappedFile file_;
  std::vector<const PairEntry*> entries_;  // of each block
  CorpusSummary summary_;
  CorpusOrigin origin_;
  CorpusForm form_;
  std::shared_ptr<const SourceVectors> vectors_;
};

/// Encodes the files into `path` with `threads` threads: atomically, in memory that does not grow with the corpus.
/// Every file is read twice (RereadableFiles). Throws what PairReader does, InputError when no pair is left, and at a
/// line that the target's tokenizer refuses or whose labels are not as many as the source's words.
/// vectors: files.vectors, opened; every one of them is looked at. Throws InputError where they are not as many as the
/// lines.
CorpusSummary build_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                           const CorpusOptions& options, int64_t threads = 1, const SourceVectors* vectors = nullptr);

/// The encoded corpus at `path` where it is whole and was made from these files (compared by content), tokenizers and
/// options; otherwise builds it anew. Logs the summary, as a warning where pairs were left out or many tokens are
/// unknown.
std::shared_ptr<const EncodedCorpus> open_or_build_corpus(const std::string& path, const CorpusFiles& files,
                                                          const text::Tokenizers& tokenizers,
                                                          const CorpusOptions& options, int64_t threads = 1,
                                                          std::shared_ptr<const SourceVectors> vectors = nullptr);

}  // namespace heed::data
