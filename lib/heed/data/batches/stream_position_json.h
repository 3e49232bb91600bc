// Positions in a stream of updates as JSON: in checkpoints, and among ranks.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "heed/core/text/json_members.h"
#include "heed/data/batches/stream_position.h"

namespace heed::data {

nlohmann::ordered_json to_json(const StreamPosition& position);
/// Throws Error that names the member which is missing or of another type.
StreamPosition read_position(const JsonMembers& json);

}  // namespace heed::data
