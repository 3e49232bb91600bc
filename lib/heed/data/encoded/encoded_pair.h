// A pair of lines on its way into an encoded corpus.
#pragma once

#include <cstdint>
#include <string>

#include "heed/data/corpus/corpus_files.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

struct EncodedPair {
  TextPair text;
  text::Ids source;
  text::Ids target;
  uint64_t line = 0;       ///< counted from 0 over all files of a side
  int64_t vectors = 0;     ///< that an encoder reads of its source
  bool blank = false;      ///< a side has no text or no ids
  bool duplicate = false;  ///< repeats an earlier pair; looked for only to leave it out
  bool leaking = false;    ///< is in the validation text; likewise of text that is stored
  std::string error;       ///< why its target is none; empty: it is one
};

}  // namespace heed::data
