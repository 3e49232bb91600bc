// A line of `heed translate`, as it was read and with its translation.
#pragma once

#include <string>

#include "heed/translation/lines/source_line.h"
#include "heed/translation/lines/translation.h"

namespace heed::apps {

struct InputLine {
  translation::SourceLine source;
  std::string given = {};  ///< the line as it was read; empty if the format is text or the source has no text
};

struct TranslatedLine {
  InputLine input;
  translation::Translation translation;
};

}  // namespace heed::apps
