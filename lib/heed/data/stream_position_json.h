// Positions in a stream of updates as JSON: in checkpoints, and among ranks.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "heed/data/stream_position.h"

namespace heed::data {

nlohmann::ordered_json to_json(const StreamPosition& position);
/// Throws nlohmann::json::exception where it is none.
StreamPosition read_position(const nlohmann::ordered_json& json);

}  // namespace heed::data
