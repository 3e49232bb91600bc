#include "heed/data/stream_position_json.h"

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

StreamPosition read_position(const Json& json) {
  StreamPosition position{
      .epoch = json.at("epoch"), .window = json.at("window"), .update = json.at("update"), .lines = {}};
  if (!json.contains("lines")) return position;
  const Json& lines = json.at("lines");
  StreamedLines& read = position.lines.emplace();
  read.sha256 = lines.at("sha256");
  read.given = lines.at("given");
  // Older checkpoints have fewer counts.
  each_count(read.before, [&](const char* name, int64_t& count) { count = lines.at("before").value(name, count); });
  read.source_lengths = lines.value("source_lengths", LengthCounts{});  // older checkpoints have none
  if (lines.contains("usual_source_length")) read.usual_source_length = lines.at("usual_source_length").get<int64_t>();
  return position;
}

}  // namespace heed::data
