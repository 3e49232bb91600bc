// vocab.json of a MarianMT model: the id of each piece, and so its row in the tables of embeddings.
#pragma once

#include <string>

#include "heed/interchange/huggingface/marian_config.h"
#include "heed/interchange/piece_table.h"

namespace heed::interchange {

/// The entry that stands for heed's own pad in a model that heed has exported, where a probability is left to it.
inline constexpr const char* kHeedPad = "<heed-pad>";

struct MarianVocabularies {
  PieceTable source;
  PieceTable target;
};

/// Throws CheckpointError where ids are not what they must be; FileError.
MarianVocabularies read_marian_vocabularies(const std::string& directory, const MarianConfig& config);

}  // namespace heed::interchange
