// Text that is read once, line by line, and not stored: standard input, a pipe or files.
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

  /// Reads pairs until they have this many bytes of text, or the text ends. next() still returns them all. Call it
  /// before next(). bytes_of: how many bytes of a pair count.
  void read_ahead(int64_t bytes, const std::function<int64_t(const TextPair&)>& bytes_of);
  /// The number of pairs that were read ahead and not yet returned by next().
  int64_t ahead() const { return static_cast<int64_t>(ahead_.size()); }
  const TextPair& ahead(int64_t pair) const { return ahead_[static_cast<size_t>(pair)].pair; }

  /// Reads the next pair. Returns false at the end. Throws what PairReader::next does, and ReadCancelled after
  /// break_off().
  bool next(TextPair& pair);
  /// Ends a next() that waits for a line. Call no next() after it. Thread-safe.
  void break_off() { broken_off_ = true; }

  /// The number of lines per side that next() has returned, and their SHA-256.
  int64_t lines() const { return lines_; }
  std::string sha256() const { return sha256_.hex_so_far(); }
  /// Lines in which ill-formed bytes were replaced.
  int64_t replaced_lines() const { return replaced_; }
  const CorpusFiles& files() const { return files_; }
  LineLocations places() const { return reader_.places(); }
  /// See PairReader.
  void log_advice(const std::string& prefix) const { reader_.log_advice(prefix); }
  /// The error to throw about a target line (or line of pairs), counted from 0.
  InputError error_at(int64_t line, const std::string& message) const {
    return reader_.error_at(line, /*source=*/false, message);
  }

 private:
  struct Ahead {
    TextPair pair;
    int64_t replaced;  // lines replaced up to this pair
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
