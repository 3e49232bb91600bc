// Copies text from standard input or pipes into files, which can be read several times.
#pragma once

#include <string>
#include <vector>

#include "heed/data/corpus/corpus_files.h"

namespace heed::data {

bool has_stream(const CorpusFiles& files);

/// A corpus in files that can be read several times. Each stream is unpacked into a copy `prefix`.0.new,
/// `prefix`.1.new, ... The destructor removes the copies unless keep() was called.
class SpooledFiles {
 public:
  /// `files` may be empty. Throws FileError, and InputError for damaged compressed data.
  SpooledFiles(const CorpusFiles& files, const std::string& prefix);
  ~SpooledFiles();
  SpooledFiles(const SpooledFiles&) = delete;
  SpooledFiles& operator=(const SpooledFiles&) = delete;

  /// Messages call a copy by the name of its stream.
  const CorpusFiles& files() const { return files_; }
  /// Renames the copies to `prefix`.0, `prefix`.1, ..., and replaces older files of these names. Throws FileError.
  void keep();

 private:
  void remove_copies();
  void rename(const std::string& path, const std::string& copy, const std::string& name);

  CorpusFiles files_;
  std::vector<std::string> copies_;  // final names of the copies; empty after they are renamed
};

/// The same files, with current paths. Copies that SpooledFiles kept may be gone because their directory was
/// renamed. Those are looked up at `prefix`.N.
CorpusFiles found_again(const CorpusFiles& files, const std::string& prefix);

}  // namespace heed::data
