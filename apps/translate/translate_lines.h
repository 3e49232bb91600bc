// Reads lines, and writes their translations and alignments.
#pragma once

#include <functional>
#include <memory>

#include "heed/report/item_map.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/wording.h"
#include "heed/translation/translator.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// What the command demands of the wording of translations. Throws InputError, FileError.
std::shared_ptr<const translation::Wording> wording_of(const TranslateCommand& command,
                                                       const text::Tokenizers& tokenizers);

/// What the command writes for words that the model has no token for; null: the unknown token. Throws InputError,
/// FileError.
std::shared_ptr<const translation::UnknownWords> unknown_words_of(const TranslateCommand& command,
                                                                  const text::Tokenizers& tokenizers);

/// What searches have to keep of translations for what the command writes.
search::Keep kept_for(const TranslateCommand& command);

/// Throws InputError, FileError, ConfigError.
void translate_lines(const translation::Translator& translator, const TranslateCommand& command,
                     const text::Tokenizers& tokenizers);

/// Makes of a translation, and its words or tokens, the map of what the model looked at.
using MapItem = std::function<report::ItemMap(const translation::Translation& translation, text::Alignment words)>;

/// Sources other than lines of text, too.
struct Sources {
  translation::NextSource next;
  std::optional<int64_t> size = std::nullopt;  ///< absent: not known
};

/// The same of other sources. map_item: of sources that are no text alone, for `--alignment`.
void translate_sources(const translation::Translator& translator, const TranslateCommand& command,
                       const text::Tokenizers& tokenizers, const Sources& sources, const MapItem& map_item = {});

}  // namespace heed::apps
