// Lists of pictures and of sounds, made the files of vectors that a training reads.
#pragma once

#include <cstdint>
#include <string>

#include "heed/data/corpus/corpus_files.h"
#include "heed/model_directory/model_options.h"

namespace heed::config {

/// The vectors of a corpus whose sources are pictures or sounds. They are made beside `path`, and vanish with this
/// unless they are kept. Nothing is done for other corpora.
class ConvertedMedia {
 public:
  /// path: "DIR/train.vectors". Throws what media/picture_list.h and media/sound_list.h say.
  ConvertedMedia(const data::CorpusFiles& files, const std::string& path, const MediaOptions& options, int64_t threads);
  ~ConvertedMedia();
  ConvertedMedia(const ConvertedMedia&) = delete;
  ConvertedMedia& operator=(const ConvertedMedia&) = delete;

  /// The files given, with the vectors in the place of the list. Messages call them as the list.
  data::CorpusFiles with(const data::CorpusFiles& files) const;
  /// Gives the vectors their name, `path`.safetensors, in the place of what was there. Throws FileError.
  void keep();

 private:
  std::string list_;  // empty: there is none
  std::string made_;  // where the vectors are now
  std::string kept_;  // where they are to be
};

}  // namespace heed::config
