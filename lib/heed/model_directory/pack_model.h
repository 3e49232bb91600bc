// A model in one file.
#pragma once

#include <cstdint>
#include <string>

#include "heed/core/files/atomic_file.h"

namespace heed::checkpoint {

struct PackedModel {
  int64_t files = 0;
  uint64_t bytes = 0;  ///< of these files
};

/// Writes what translation needs of a finished model into an archive (core/files/archive.h), which may take the place
/// of the directory wherever a model is read: config.toml, the tokenizers, the parameters, the shortlist and the
/// manifest. Text, checkpoints and the folder of the training are left out. Throws CheckpointError unless the model is
/// finished and its files have the manifest's checksums; FileError.
PackedModel pack_model(const std::string& model, AtomicFile& output);

}  // namespace heed::checkpoint
