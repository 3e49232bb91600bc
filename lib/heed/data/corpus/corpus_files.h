// Parallel text in files: either two files whose n-th lines belong together, or one file of TAB-separated pairs.
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

/// The files of a corpus. A text file may be plain, gzip-compressed, or "-" for standard input. The files of one list
/// are read one after the other. Give `pairs`, or `source` and `target`, or only `target` (a language model). Vectors
/// are added to the source text. With `target` only, they are the whole source.
struct CorpusFiles {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<std::string> pairs;                 ///< lines of exactly two columns: source TAB target
  std::vector<std::string> weights = {};          ///< a number per line: the weight of the pair on that line
  bool weight_column = false;                     ///< `pairs` have a third column: source TAB target TAB weight
  std::vector<std::string> alignments = {};       ///< links such as `0-0 1-2` per line, between the words of the pair
  std::string vectors = {};                       ///< item N belongs to the source of line N (core/files/vector_file.h)
  std::string pictures = {};                      ///< list of image files from which vectors are still to be computed
                                                  ///< (media/image_list.h)
  std::string sounds = {};                        ///< the same for audio files
  std::map<std::string, std::string> names = {};  ///< by path: what messages call the file instead of its path
  /// Whether the source has text.
  bool has_source() const { return !source.empty() || !pairs.empty(); }
  bool has_weights() const { return !weights.empty() || weight_column; }
  /// Whether the source has vectors, or images or audio from which they are computed.
  bool has_vectors() const { return !vectors.empty() || !pictures.empty() || !sounds.empty(); }
  bool operator==(const CorpusFiles&) const = default;
};
/// One file of a corpus.
struct SideFile {
  std::string_view side;  ///< "source", "target", "pairs", "weights", "alignments" or "vectors"
  std::string path;
};
/// All files of a corpus, in the order of SideFile::side.
std::vector<SideFile> all_files(const CorpusFiles& files);
/// What messages call a file of the corpus.
std::string name_of(const std::string& path, const CorpusFiles& files);
/// What messages call all files of the corpus together.
std::string names_of(const CorpusFiles& files);
/// Throws ConfigError if the lists do not form a corpus, or if standard input is named twice. `prefix` ("valid-")
/// precedes the names source, target and pairs in messages.
void validate(const CorpusFiles& files, const std::string& prefix = "");

/// Finds the file and the line number of a line, for several files that are read one after the other.
struct LineLocations {
  std::vector<std::string> names;  ///< names for messages of the files read so far
  std::vector<int64_t> first;      ///< number of each file's first line, counted from 0 over all files
  int64_t header = 0;              ///< lines of each file before its first pair
  /// "train.de:5"
  std::string of(int64_t line) const;
};

/// One pair of lines, as in the files.
struct TextPair {
  std::string source;  ///< empty for a language model
  std::string target;
  float weight = 1;            ///< at least 0
  bool bad = false;            ///< the line is not a pair and must be left out; its text is empty
  std::string alignment = {};  ///< links such as `0-0 1-2` between words, which are separated by white space
};

/// Reports a line of a file of pairs that is not a pair.
struct BadRow : InputError {
  using InputError::InputError;
};

/// Reads the pairs of a corpus in order.
class PairReader {
 public:
  /// Throws ConfigError (validate) and FileError.
  explicit PairReader(const CorpusFiles& files, const TextFormat& format = {});
  ~PairReader();

  /// Reads the next pair. Returns false at the end. Throws InputError:
  /// - for ill-formed UTF-8, unless it is replaced, for a wrong weight, and for a link to a word that is not there;
  /// - if one side ends before the other. The message has both counts: "train.en has 29000 lines, train.de has 28999";
  /// - at the end, if both sides have the same number of files but the files differ in length.
  /// Throws BadRow for a line of `pairs` with wrong columns, quotes or weight. With BadRows::LeaveOut it returns such a
  /// line as a pair that is `bad`.
  bool next(TextPair& pair);
  /// Lines of each file read so far, without headers, in the order of all_files.
  std::vector<int64_t> lines() const;
  /// Pairs read so far.
  int64_t pairs() const;
  /// The error to throw about a line of a pair that was read before. pair: counted from 0. source: whether the line is
  /// the source.
  InputError error_at(int64_t pair, bool source, const std::string& message) const;
  /// Lines read so far in which ill-formed bytes were replaced.
  int64_t replaced_lines() const;
  /// Places of the target lines (or lines of pairs) read so far.
  LineLocations places() const;
  /// Logs what the lines of `pairs` read so far look like, and which lines were left out (TableShape::log_advice).
  void log_advice(const std::string& prefix) const;
  /// From now on a read that waits for a sender throws ReadCancelled when `asked` returns true
  /// (core/files/unpacked_file.h).
  void break_off_if(const std::function<bool()>& asked);

 private:
  struct Sides;
  std::unique_ptr<Sides> sides_;
};

/// Reads the whole corpus once and counts its pairs. Throws what PairReader does.
int64_t count_pairs(const CorpusFiles& files, const TextFormat& format = {});
/// The same, and logs advice about files of pairs. `prefix` precedes the names of options.
int64_t inspect_pairs(const CorpusFiles& files, const TextFormat& format, const std::string& prefix);

}  // namespace heed::data
