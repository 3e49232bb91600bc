// Copies text from standard input or a pipe into files, which can be read several times.
#pragma once

#include <string>
#include <vector>

#include "heed/data/corpus/corpus_files.h"

namespace heed::data {

bool has_stream(const CorpusFiles& files);

/// A corpus in files that can be read several times: what each stream gives is copied (unpacked) to `prefix`.0.new,
/// `prefix`.1.new, ...; the copies vanish with this unless they are kept.
class RereadableFiles {
 public:
  /// `files` may be empty. Throws FileError, and InputError for damaged compressed data.
  RereadableFiles(const CorpusFiles& files, const std::string& prefix);
  ~RereadableFiles();
  RereadableFiles(const RereadableFiles&) = delete;
  RereadableFiles& operator=(const RereadableFiles&) = delete;

  /// Messages call a copy as they would call its stream.
  const CorpusFiles& files() const { return files_; }
  /// Gives the copies their names `prefix`.0, `prefix`.1, ..., in the place of what was there. Throws FileError.
  void keep();

 private:
  void remove_copies();
  void rename(const std::string& path, const std::string& copy, const std::string& name);

  CorpusFiles files_;
  std::vector<std::string> copies_;  // the names they are to have; empty once they have them
};

/// The files, where those that are gone were kept by RereadableFiles before their directory got another name: found at
/// `prefix`.N now.
CorpusFiles found_again(const CorpusFiles& files, const std::string& prefix);

}  // namespace heed::data
