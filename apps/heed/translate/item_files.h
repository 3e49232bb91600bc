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
        "`FILE` (.npy or .safetensors) of vectors, for a model that reads them: item N is the source of line N, or "
        "stands beside its text");
  visit("source-pictures", o.pictures, "the same of pictures: `LIST` of PNG files, one path a line");
  visit("source-sounds", o.sounds, "the same of sounds: `LIST` of sound files, one path a line");
}

}  // namespace heed::apps
