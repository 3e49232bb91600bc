// `heed translate --continue`: resumes an interrupted output.
#pragma once

#include <cstdint>

#include "heed/translation/translator.h"
#include "translate/line_format.h"
#include "translate/source_reader.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// The part of the output that is kept.
struct ResumePoint {
  int64_t lines = 0;
  uint64_t bytes = 0;
};

/// Throws ConfigError if the output cannot be resumed.
void check_continuation(const TranslateCommand& command);

/// Skips the lines of `source` that are already translated in the output, and checks that they match. A blank line must
/// have a blank translation; columns and objects must be those of the line. The last few lines are translated again and
/// must be identical (where rounding depends on the batch: one of them), which detects output of another model or with
/// other options. Returns zeros unless an output is resumed. Throws InputError.
ResumePoint skip_translated_lines(const LineSource& source, const TranslateCommand& command,
                                  const translation::Translator& translator, const LineWriter& writer,
                                  const ChooseTranslation& choose);

}  // namespace heed::apps
