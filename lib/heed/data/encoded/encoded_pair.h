// A pair of lines while it is being encoded.
#pragma once

#include <cstdint>
#include <string>

#include "heed/data/corpus/corpus_files.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

struct EncodedPair {
  TextPair text;
  text::Ids source;
  text::Target target;
  uint64_t line = 0;       ///< line number, counted from 0 over all files of a side
  int64_t vectors = 0;     ///< vectors of its source that the encoder reads
  bool blank = false;      ///< a side has no text or no ids
  bool duplicate = false;  ///< repeats an earlier pair; set only if such pairs are left out
  bool leaking = false;    ///< is also in the validation text; for stored text set only if such pairs are left out
  std::string error;       ///< why the target is invalid; empty: it is valid
};

}  // namespace heed::data
