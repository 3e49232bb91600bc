// Writes the file of an encoded corpus from its begin to its end, in memory that does not grow with the corpus.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/core/files/atomic_file.h"
#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/corpus_layout.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

struct EncodedPair {
  TextPair text;
  text::Ids source;
  text::Ids target;
  uint64_t line = 0;    ///< counted from 0 over all files of a side
  int64_t vectors = 0;  ///< that an encoder reads of its source
  bool blank = false;   ///< a side has no text or no ids
  std::string error;    ///< why its target is none; empty: it is one
};

class CorpusWriter {
 public:
  /// Throws FileError, as all members do.
  explicit CorpusWriter(const std::string& path);

  void add(const EncodedPair& pair);
  /// Gives the file its name.
  void finish(const std::string& json);

 private:
  void end_block();
  void append(const void* bytes, size_t count);
  void flush();

  AtomicFile file_;
  std::string buffer_;
  uint64_t position_ = 0;
  uint64_t crc_ = 0;                // of the block, or of block entries and JSON, being written
  std::vector<PairEntry> entries_;  // of the block being written
  std::vector<BlockEntry> blocks_;
};

}  // namespace heed::data
