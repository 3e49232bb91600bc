// Options that name sources other than text.
#pragma once

#include <string>

#include "heed/core/options.h"

namespace heed::apps {

/// At most one of them is named.
struct ItemFiles {
  std::string vectors;
  std::string pictures;  ///< a list of files
  std::string sounds;    ///< likewise

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
