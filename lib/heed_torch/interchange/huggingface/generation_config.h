// How a model of transformers translates unless told otherwise: generation_config.json
// (https://huggingface.co/docs/transformers/main_classes/text_generation).
#pragma once

#include <string>
#include <vector>

#include "heed/search/search_options.h"
#include "heed_torch/interchange/common/piece_table.h"
#include "heed_torch/interchange/huggingface/marian_config.h"

namespace heed::interchange {

/// The search of the model. As in transformers, the settings of config.json count where there is no
/// generation_config.json. A setting is honored, has no effect on the text, or is named in left_out with its value; so
/// is one that is unknown. Settings that are not there have heed's defaults. Throws CheckpointError for values that are
/// none, or do not go together.
search::SearchOptions read_generation_config(const std::string& directory, const MarianConfig& config,
                                             const PieceTable& target, std::vector<std::string>& left_out);

}  // namespace heed::interchange
