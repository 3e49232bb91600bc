// Converts lists of images or audio files to the files of vectors that a training reads.
#pragma once

#include <cstdint>
#include <string>

#include "heed/data/corpus/corpus_files.h"
#include "heed/model_directory/model_options.h"

namespace heed::config {

/// The vectors of a corpus whose sources are images or audio. They are written next to `path`; the destructor removes
/// them unless keep() was called. Does nothing for other corpora.
class ConvertedMedia {
 public:
  /// path: "DIR/train.vectors". Throws what media/picture_list.h and media/sound_list.h say.
  ConvertedMedia(const data::CorpusFiles& files, const std::string& path, const MediaOptions& options, int64_t threads);
  ~ConvertedMedia();
  ConvertedMedia(const ConvertedMedia&) = delete;
  ConvertedMedia& operator=(const ConvertedMedia&) = delete;

  /// The given files, with the vectors instead of the list. Messages show the list's name.
  data::CorpusFiles with(const data::CorpusFiles& files) const;
  /// Moves the vectors to `path`.safetensors and replaces an older file there. Throws FileError.
  void keep();

 private:
  std::string list_;  // empty: there is no list
  std::string made_;  // where the vectors are now
  std::string kept_;  // where keep() moves them
};

}  // namespace heed::config
