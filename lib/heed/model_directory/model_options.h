// What using a finished model needs of its config.toml; without torch.
#pragma once

#include <string>

#include "heed/architecture/architecture.h"
#include "heed/core/options.h"
#include "heed/media/log_mel_options.h"
#include "heed/media/picture_list.h"
#include "heed/search/search_options.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/translator_options.h"

namespace heed::config {

/// How a model translates unless told otherwise.
struct TranslateOptions {
  search::SearchOptions search;
  translation::TranslatorOptions translator;
  bool operator==(const TranslateOptions&) const = default;
};
void describe(TranslateOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.search, visit);
  describe(o.translator, visit);
}

/// How pictures and sounds become vectors.
struct MediaOptions {
  media::PictureListOptions pictures;
  media::LogMelOptions sounds;
  bool operator==(const MediaOptions&) const = default;
};
void describe(MediaOptions& o, AnyOptionVisitor auto& visit) {
  visit.section("pictures", o.pictures, "pictures as sources: their pixels");
  visit.section("sounds", o.sounds, "sounds as sources: their log-mel frames");
}

struct ModelOptions {
  models::ArchitectureOptions arch;
  MediaOptions media;
  TranslateOptions search;
};
/// Options of training are not looked at: those that another version of heed had do not matter. Throws ConfigError,
/// FileError.
ModelOptions read_model_options(const std::string& path);

/// The two vocabularies of a model with these tokenizers.
models::VocabularySizes vocabulary_sizes(const text::Tokenizers& tokenizers);

}  // namespace heed::config
