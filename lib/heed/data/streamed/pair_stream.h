// Text that is read once, line by line, and kept nowhere: standard input, a pipe, or files that are not to be stored.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include "heed/core/error.h"
#include "heed/core/files/checksum.h"
#include "heed/data/corpus/corpus_files.h"

namespace heed::data {

class PairStream {
 public:
  /// Throws what PairReader does.
  PairStream(CorpusFiles files, const TextFormat& format);

  /// Reads pairs until they have so many bytes of text, or the text ends; next() gives them all the same. To be called
  /// before next(). bytes_of: how many of them count.
  void read_ahead(int64_t bytes, const std::function<int64_t(const TextPair&)>& bytes_of);
  /// Those that were read ahead, and not given yet.
  int64_t ahead() const { return static_cast<int64_t>(ahead_.size()); }
  const TextPair& ahead(int64_t pair) const { return ahead_[static_cast<size_t>(pair)].pair; }

  /// False at the end. Throws what PairReader::next does, ReadBrokenOff after break_off().
  bool next(TextPair& pair);
  /// Ends a next() that waits for a line; there may be none after it. May be called from any thread.
  void break_off() { broken_off_ = true; }

  /// Lines of each side that next() has given, and SHA-256 of them.
  int64_t lines() const { return lines_; }
  std::string sha256() const { return sha256_.hex_so_far(); }
  /// Those in which ill-formed bytes were replaced.
  int64_t replaced_lines() const { return replaced_; }
  const CorpusFiles& files() const { return files_; }
  LinePlaces places() const { return reader_.places(); }
  /// See PairReader.
  void log_advice(const std::string& prefix) const { reader_.log_advice(prefix); }
  /// What to throw about the target (or pair) of a line, counted from 0.
  InputError error_at(int64_t line, const std::string& message) const {
    return reader_.error_at(line, /*source=*/false, message);
  }

 private:
  struct Ahead {
    TextPair pair;
    int64_t replaced;  // so far
  };
  bool take(TextPair& pair);

  CorpusFiles files_;
  PairReader reader_;
  std::deque<Ahead> ahead_;
  int64_t lines_ = 0;
  int64_t replaced_ = 0;
  Sha256 sha256_;
  std::atomic<bool> broken_off_ = false;
};

}  // namespace heed::data
