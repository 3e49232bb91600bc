// Reads lines, and writes their translations and alignments.
#pragma once

#include "heed/text/tokenizer.h"
#include "heed/translation/translator.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// What searches have to keep of translations for what the command writes.
search::Keep kept_for(const TranslateCommand& command);

/// Throws InputError, FileError, ConfigError.
void translate_lines(const translation::Translator& translator, const TranslateCommand& command,
                     const text::Tokenizers& tokenizers);

/// The same of other sources than lines of text.
void translate_sources(const translation::Translator& translator, const TranslateCommand& command,
                       const text::Tokenizers& tokenizers, const translation::NextSource& next);

}  // namespace heed::apps
