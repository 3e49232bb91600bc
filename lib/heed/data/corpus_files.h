// Parallel text in files: two sides whose n-th lines belong together, or TAB-separated pairs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heed/core/line_reader.h"
#include "heed/core/options.h"

namespace heed::data {

/// The files of a corpus. Each may be plain or gzip-compressed, or "-" for standard input; the files of one list are
/// read one after the other. Either `pairs` alone; or `target` alone (a language model) or with `source`.
struct CorpusFiles {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<std::string> pairs;  ///< lines of exactly two columns: source TAB target
  bool has_source() const { return !source.empty() || !pairs.empty(); }
  bool operator==(const CorpusFiles&) const = default;
};
/// Throws ConfigError when the lists do not make a corpus, or standard input is named twice. `prefix` stands before the
/// names source, target and pairs in messages ("valid-").
void validate(const CorpusFiles& files, const std::string& prefix = "");

/// One line pair, as it stands in the files.
struct TextPair {
  std::string source;  ///< empty for a language model
  std::string target;
};

/// Reads the pairs of a corpus in order.
class PairReader {
 public:
  /// Throws ConfigError (validate) and FileError.
  explicit PairReader(const CorpusFiles& files, InvalidText invalid = InvalidText::Fail);
  ~PairReader();

  /// False at the end. Throws InputError: at ill-formed UTF-8 unless replacing, at a line of `pairs` without exactly
  /// one TAB, and at the end of the shorter side, naming both counts ("train.en has 29000 lines, train.de has 28999").
  bool next(TextPair& pair);
  /// Lines read so far of each file, in the order source, target, pairs.
  std::vector<int64_t> lines() const;
  /// Pairs read so far.
  int64_t pairs() const;
  /// Lines read so far in which ill-formed bytes were replaced.
  int64_t replaced_lines() const;

 private:
  struct Sides;
  std::unique_ptr<Sides> sides_;
};

/// Reads the whole corpus once and counts its pairs. Throws what PairReader does.
int64_t count_pairs(const CorpusFiles& files, InvalidText invalid = InvalidText::Fail);

/// A corpus is read several times, standard input and pipes only once: copies what each of them gives (unpacked) to
/// `prefix`.0, `prefix`.1, ... and returns the files with those names in their place. Throws what PairReader does.
CorpusFiles keep_streams(const CorpusFiles& files, const std::string& prefix, InvalidText invalid = InvalidText::Fail);

}  // namespace heed::data
