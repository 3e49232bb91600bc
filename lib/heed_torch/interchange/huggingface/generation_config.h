// How a model of transformers translates by default: generation_config.json
// (https://huggingface.co/docs/transformers/main_classes/text_generation).
#pragma once

#include <string>
#include <vector>

#include "heed/search/search_options.h"
#include "heed_torch/interchange/common/piece_table.h"
#include "heed_torch/interchange/huggingface/marian_config.h"

namespace heed::interchange {

/// The search options of the model. As in transformers, the settings of config.json apply if there is no
/// generation_config.json. A setting is used, or has no effect on the text, or is named in left_out with its value;
/// unknown ones are named too. Missing settings have heed's defaults. Throws CheckpointError for values that are
/// invalid or contradict each other.
search::SearchOptions read_generation_config(const std::string& directory, const MarianConfig& config,
                                             const PieceTable& target, std::vector<std::string>& left_out);

}  // namespace heed::interchange
