// Translates a document: a web page, a PO file, subtitles, ...
#pragma once

#include "heed/text/tokenizer.h"
#include "heed/translation/translator.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// Throws ConfigError for options that documents do not have.
void check_document_options(const TranslateCommand& command);

/// Reads the document, translates each different segment once and writes the document. command.document is set. The
/// translator keeps the attention. Throws InputError, FileError, ConfigError.
void translate_document(const translation::Translator& translator, const TranslateCommand& command);

}  // namespace heed::apps
