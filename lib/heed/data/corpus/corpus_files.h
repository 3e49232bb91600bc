// Parallel text in files: two sides whose n-th lines belong together, or TAB-separated pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/options.h"
#include "heed/data/corpus/table_shape.h"
#include "heed/data/corpus/text_format.h"

namespace heed::data {

/// The files of a corpus. Each text may be plain or gzip-compressed, or "-" for standard input; the files of one list
/// are read one after the other. Either `pairs`; or `target`, alone (a language model) or with `source`. Vectors are
/// the source beside its text or, with `target` alone, instead of it.
struct CorpusFiles {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<std::string> pairs;         ///< lines of exactly two columns: source TAB target
  std::vector<std::string> weights = {};  ///< a number on each line: what the pair of that line counts
  bool weight_column = false;             ///< `pairs` have a third column: source TAB target TAB weight
  std::string vectors = {};               ///< item N is of the source of line N (core/files/vector_file.h)
  std::string pictures = {};  ///< a list of files that become vectors (media/picture_list.h), which are not made yet
  std::string sounds = {};    ///< likewise
  std::map<std::string, std::string> names = {};  ///< by path: what messages call a file instead of its path
  /// Whether the source has text.
  bool has_source() const { return !source.empty() || !pairs.empty(); }
  bool has_weights() const { return !weights.empty() || weight_column; }
  /// Whether the source has vectors, or what they are made of.
  bool has_vectors() const { return !vectors.empty() || !pictures.empty() || !sounds.empty(); }
  bool operator==(const CorpusFiles&) const = default;
};
/// One of them.
struct SideFile {
  std::string_view side;  ///< "source", "target", "pairs", "weights" or "vectors"
  std::string path;
};
/// All of them, in this order.
std::vector<SideFile> all_files(const CorpusFiles& files);
/// What messages call a file of them.
std::string name_of(const std::string& path, const CorpusFiles& files);
/// What messages call all of them together.
std::string names_of(const CorpusFiles& files);
/// Throws ConfigError when the lists do not make a corpus, or standard input is named twice. `prefix` stands before the
/// names source, target and pairs in messages ("valid-").
void validate(const CorpusFiles& files, const std::string& prefix = "");

/// Where the lines of several files, read one after the other, stand.
struct LinePlaces {
  std::vector<std::string> names;  ///< of the files read so far, for messages
  std::vector<int64_t> first;      ///< of each, counted from 0 over all
  int64_t header = 0;              ///< lines of each file that precede its first pair
  /// "train.de:5"
  std::string of(int64_t line) const;
};

/// One line pair, as it stands in the files.
struct TextPair {
  std::string source;  ///< empty for a language model
  std::string target;
  float weight = 1;  ///< at least 0
  bool bad = false;  ///< a line that is not a pair, to be left out; its text is empty
};

/// A line of a file of pairs is not a pair.
struct BadRow : InputError {
  using InputError::InputError;
};

/// Reads the pairs of a corpus in order.
class PairReader {
 public:
  /// Throws ConfigError (validate) and FileError.
  explicit PairReader(const CorpusFiles& files, const TextFormat& format = {});
  ~PairReader();

  /// False at the end. Throws InputError: at ill-formed UTF-8 unless replacing, at a wrong weight, and at the
  /// end of the shortest side, or of both where they have as many files of other lengths, naming two counts ("train.en
  /// has 29000 lines, train.de has 28999"). Throws BadRow at a line of `pairs` without exactly its columns, with wrong
  /// quotes or a wrong weight; with BadRows::LeaveOut such a line is a pair that is `bad`.
  bool next(TextPair& pair);
  /// Lines read so far of each file, headers not counted, in the order of all_files.
  std::vector<int64_t> lines() const;
  /// Pairs read so far.
  int64_t pairs() const;
  /// What to throw about a line of a pair read before. pair: counted from 0; source: which of its lines.
  InputError error_at(int64_t pair, bool source, const std::string& message) const;
  /// Lines read so far in which ill-formed bytes were replaced.
  int64_t replaced_lines() const;
  /// Of the targets' (or pairs') lines read so far.
  LinePlaces places() const;
  /// Logs what the lines of `pairs` read so far look like, and which were left out (TableShape::log_advice).
  void log_advice(const std::string& prefix) const;
  /// A read that waits for a sender throws ReadBrokenOff from now on where this is true (core/files/unpacked_file.h).
  void break_off_if(const std::function<bool()>& asked);

 private:
  struct Sides;
  std::unique_ptr<Sides> sides_;
};

/// Reads the whole corpus once and counts its pairs. Throws what PairReader does.
int64_t count_pairs(const CorpusFiles& files, const TextFormat& format = {});
/// The same, and logs advice about files of pairs; `prefix` precedes the names of options.
int64_t inspect_pairs(const CorpusFiles& files, const TextFormat& format, const std::string& prefix);

}  // namespace heed::data
