// Options for sources other than text.
#pragma once

#include <string>

#include "heed/core/options.h"

namespace heed::apps {

/// At most one of them is set.
struct ItemFiles {
  std::string vectors;
  std::string pictures;  ///< a list of image files
  std::string sounds;    ///< a list of audio files

  bool any() const { return !vectors.empty() || !pictures.empty() || !sounds.empty(); }
};
void describe(ItemFiles& o, AnyOptionVisitor auto& visit) {
  visit("source-vectors", o.vectors,
        "`FILE` (.npy or .safetensors) of vectors, for a model that reads them: item N is the source of line N, or is "
        "read together with its text");
  visit("source-images", o.pictures, "the same for images: `LIST` of PNG files, one path per line");
  visit("source-audio", o.sounds, "the same for audio: `LIST` of audio files, one path per line");
}

}  // namespace heed::apps
