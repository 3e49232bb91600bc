// Reads lines and writes their translations and alignments.
#pragma once

#include "heed/architecture/architecture.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/translator.h"
#include "translate/line_output.h"
#include "translate/source_reader.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// What the search must keep of translations for this command's output.
search::ReturnOptions kept_for(const TranslateCommand& command, const models::ArchitectureOptions& arch);

/// Throws InputError, FileError, ConfigError.
void translate_lines(const translation::Translator& translator, const TranslateCommand& command,
                     const text::Tokenizers& tokenizers, const ChooseTranslation& choose = {});

/// The same for sources other than lines of text. map_item: for `--alignment`, if sources are not only text.
void translate_sources(const translation::Translator& translator, const TranslateCommand& command,
                       const text::Tokenizers& tokenizers, const LineSource& source, const MapItem& map_item = {},
                       const ChooseTranslation& choose = {});

}  // namespace heed::apps
