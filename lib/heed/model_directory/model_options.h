// The part of config.toml that is needed to use a finished model, without LibTorch.
#pragma once

#include <string>

#include "heed/architecture/architecture.h"
#include "heed/core/options.h"
#include "heed/media/image_list.h"
#include "heed/media/log_mel_options.h"
#include "heed/search/search_options.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/translator_options.h"

namespace heed::config {

/// The model's defaults for translation.
struct TranslateOptions {
  search::SearchOptions search;
  translation::TranslatorOptions translator;
  bool operator==(const TranslateOptions&) const = default;
};
void describe(TranslateOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.search, visit);
  describe(o.translator, visit);
}

/// How images and audio become vectors.
struct MediaOptions {
  media::ImageListOptions pictures;
  media::LogMelOptions sounds;
  bool operator==(const MediaOptions&) const = default;
};
void describe(MediaOptions& o, AnyOptionVisitor auto& visit) {
  visit.section("images", o.pictures, "images as sources: their pixels");
  visit.section("audio", o.sounds, "audio as sources: its log-mel frames");
}

struct ModelOptions {
  models::ArchitectureOptions arch;
  MediaOptions media;
  TranslateOptions search;
};
/// Reads the options. Options of training are ignored, so those of other versions of heed do not matter. Throws
/// ConfigError, FileError.
ModelOptions read_model_options(const std::string& path);

/// The sizes of the two vocabularies of a model with these tokenizers.
models::VocabularySizes vocabulary_sizes(const text::Tokenizers& tokenizers);

}  // namespace heed::config
