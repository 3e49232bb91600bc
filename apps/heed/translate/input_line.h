// A line of `heed translate`: as it was read, and with its translation.
#pragma once

#include <string>

#include "heed/translation/lines/source_line.h"
#include "heed/translation/lines/translation.h"

namespace heed::apps {

struct InputLine {
  translation::SourceLine source;
  std::string given = {};  ///< as it was read; empty where the format is text, and where there is no text
};

struct TranslatedLine {
  InputLine input;
  translation::Translation translation;
};

}  // namespace heed::apps
