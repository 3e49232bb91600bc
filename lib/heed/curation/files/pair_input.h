// Reads the pairs of a corpus, of any format.
#pragma once

#include <memory>

#include "heed/curation/files/pair.h"
#include "heed/curation/files/pair_format.h"

namespace heed::curation {

class PairInput {
 public:
  virtual ~PairInput() = default;
  /// Reads the next pair. Returns false at the end. Text that is not UTF-8 is repaired (Pair::ill_formed). Throws
  /// InputError, with file and line, for a row or object without the fields, sides that differ in length, damaged
  /// compressed data, and files that are not text.
  virtual bool next(Pair& pair) = 0;
};

/// Throws ConfigError (validate) and FileError.
std::unique_ptr<PairInput> open_pairs(const CorpusText& corpus);

}  // namespace heed::curation
