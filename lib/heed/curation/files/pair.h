// A sentence pair of a corpus that is examined.
#pragma once

#include <cstdint>
#include <string>

namespace heed::curation {

struct Pair {
  int64_t line = 0;  ///< its number, from 1, over all files: the line of its target, or its row, object or unit
  std::string source;
  std::string target;
  std::string document = {};  ///< the name of its document; empty: unknown
  bool ill_formed = false;    ///< it had bytes that are not UTF-8, which have become U+FFFD
};

}  // namespace heed::curation
