#include "heed/data/batches/stream_position_json.h"

#include <nlohmann/json.hpp>

namespace heed::data {

using Json = nlohmann::ordered_json;

Json to_json(const StreamPosition& position) {
  Json json{{"epoch", position.epoch}, {"window", position.window}, {"update", position.update}};
  if (!position.lines) return json;
  Json& lines = json["lines"] = {{"sha256", position.lines->sha256}, {"given", position.lines->given}};
  each_count(position.lines->before, [&](const char* name, int64_t count) { lines["before"][name] = count; });
  lines["source_lengths"] = position.lines->source_lengths;
  if (const auto& usual = position.lines->usual_source_length) lines["usual_source_length"] = *usual;
  return json;
}

StreamPosition read_position(const JsonMembers& json) {
  StreamPosition position{.epoch = json.whole_number("epoch"),
                          .window = json.whole_number("window"),
                          .update = json.whole_number("update"),
                          .lines = {}};
  if (!json.has("lines")) return position;
  const JsonMembers lines = json.members("lines");
  StreamedLines& read = position.lines.emplace();
  read.sha256 = lines.text("sha256");
  read.given = lines.whole_number("given");
  const JsonMembers before = lines.members("before");
  // Older checkpoints have fewer counts and no lengths.
  each_count(read.before, [&](const char* name, int64_t& count) {
    if (before.has(name)) count = before.whole_number(name);
  });
  if (lines.has("source_lengths")) read.source_lengths = lines.whole_numbers("source_lengths");
  if (lines.has("usual_source_length")) read.usual_source_length = lines.whole_number("usual_source_length");
  return position;
}

}  // namespace heed::data
