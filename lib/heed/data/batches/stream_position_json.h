// Writes positions in a stream of updates as JSON, for checkpoints and for other ranks, and reads them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "heed/core/text/json_members.h"
#include "heed/data/batches/stream_position.h"

namespace heed::data {

nlohmann::ordered_json to_json(const StreamPosition& position);
/// Throws Error that names the member which is missing or has the wrong type.
StreamPosition read_position(const JsonMembers& json);

}  // namespace heed::data
