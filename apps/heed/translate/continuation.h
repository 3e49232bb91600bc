// `heed translate --continue`: goes on with an output that was cut off.
#pragma once

#include <cstdint>

#include "heed/translation/translator.h"
#include "translate/line_format.h"
#include "translate/source_reader.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// What stands in the output already and is kept.
struct Kept {
  int64_t lines = 0;
  uint64_t bytes = 0;
};

/// Throws ConfigError for an output that cannot be gone on with.
void check_continuation(const TranslateCommand& command);

/// Reads the lines of `source` whose translations stand in the output, and looks whether they may be their
/// translations: a blank line has a blank one, columns and objects are those of the line. The last one is translated
/// again and must be the same, so that an output of another model, or with other options, is noticed. None where
/// nothing is continued. Throws InputError.
Kept pass_kept(const LineSource& source, const TranslateCommand& command, const translation::Translator& translator,
               const LineWriter& writer);

}  // namespace heed::apps
